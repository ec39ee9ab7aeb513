import { isRefusal, RESULT_CODE_MEANINGS, ResultCode, type ResultCodeName } from '../../vocabulary/result-codes.ts';
import { type RefusalStyle, refusalStatus } from '../faults.ts';
import { type Html, html } from './html.ts';
import { table } from './table.ts';

/** The id of the ResultCodes on a page, and on the service page also of the errors. */
export const RESULT_CODES_ID = 'resultcodes';
export const ERRORS_ID = 'errors';

/** ResultCodes with their meanings, and with their answers if refusals are answered in that style. */
export const resultCodeTable = (codes: readonly ResultCodeName[], refusals: RefusalStyle): Html =>
  table(
    ['ResultCode', 'Meaning', 'GET, POST', 'SOAP'],
    codes.map((name) => {
      const code = ResultCode[name];
      const asFault = isRefusal(code) && refusals === 'fault';
      return [
        html`${code} ${name}`,
        RESULT_CODE_MEANINGS[name],
        asFault ? refusalStatus(code) : 200,
        asFault ? 'fault' : 'result',
      ];
    }),
  );
