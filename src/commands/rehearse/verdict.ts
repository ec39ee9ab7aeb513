import type { Contract, Operation } from '../../contract/contract.ts';
import { FAULT_ANSWERS } from '../../transports/faults.ts';
import { ERROR_CODES, type ErrorCode } from '../../vocabulary/errors.ts';
import { isRefusal, type RefusalName, resultCodeName } from '../../vocabulary/result-codes.ts';

/** Why the service would not do what a request asks for. */
export type RefusalCode = Exclude<ErrorCode, 'Refused'> | RefusalName;

export interface Verdict {
  /** Undefined if it executed the request. */
  readonly code: RefusalCode | undefined;
  /** The contract's name of the offending parameter. */
  readonly parameter: string | undefined;
}

export interface TrialAnswer {
  readonly status: number;
  readonly body: string;
}

/** Reads the code and the parameter from an answer, and nothing else, because its sentence may contain what the caller sent. */
export type ReadVerdict = (answer: TrialAnswer) => Verdict;

/** What a plain answer indicates by its status, if neither an envelope nor JSON was requested: of several codes, the last. */
const BY_STATUS = new Map(
  Object.entries(FAULT_ANSWERS)
    .filter(([code]) => code !== 'Refused')
    .map(([code, { status }]) => [status, code as RefusalCode]),
);

export function createReadVerdict({ operations }: Pick<Contract, 'operations'>): ReadVerdict {
  const parameters = new Set(
    operations.flatMap((operation: Operation) => operation.parameters.map(({ name }) => name)),
  );
  return ({ status, body }) => {
    const resultCode = Number(fieldOf(body, 'ResultCode'));
    const refusal = isRefusal(resultCode) ? resultCodeName(resultCode) : undefined;
    const fault = fieldOf(body, 'Code') ?? fieldOf(body, 'code') ?? HEADER_FAULT.exec(body)?.[1];
    const named = fieldOf(body, 'Parameter') ?? fieldOf(body, 'parameter') ?? leadingParameter(body);
    const code = refusal ?? (fault !== undefined && fault in ERROR_CODES ? fault : codeOfStatus(status));
    const parameter = named !== undefined && parameters.has(named) ? named : undefined;
    return { code: code as RefusalCode | undefined, parameter: code === undefined ? undefined : parameter };
  };
}

function fieldOf(body: string, name: string): string | undefined {
  const xml = new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1];
  return (
    xml ??
    new RegExp(`"${name}":(?:"([^"]*)"|(\\d+))`)
      .exec(body)
      ?.slice(1)
      .find((text) => text !== undefined)
  );
}

/** A fault that is about a header or the envelope has no detail: SOAP 1.1, 4.4. */
const HEADER_FAULT = /<(?:faultcode|soap:Value)>\w+:(MustUnderstand|VersionMismatch)</;

/** A refusal over the forms names the parameter only at the beginning of its sentence. */
const leadingParameter = (body: string): string | undefined => /"ResultText":"Parameter (\w+):/.exec(body)?.[1];

function codeOfStatus(status: number): RefusalCode | undefined {
  if (status < 400) return undefined;
  if (status === 400) return 'Malformed';
  return BY_STATUS.get(status) ?? (status < 500 ? 'Malformed' : 'Internal');
}
