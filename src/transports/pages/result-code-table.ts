import { isRefusal, RESULT_CODES, type ResultCodeName } from '../../vocabulary/result-codes.ts';
import type { RefusalStyle } from '../faults.ts';
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
      const { number, status, meaning } = RESULT_CODES[name];
      const asFault = isRefusal(number) && refusals === 'fault';
      return [html`${number} ${name}`, meaning, asFault ? status : 200, asFault ? 'fault' : 'result'];
    }),
  );
