import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { ANONYMOUS, type AnswerStyle, type Client, type Incoming } from '../access/client.ts';
import type { Gate } from '../access/gate.ts';
import type { ArrivedRequest, OriginOf, RequestOrigin } from '../access/request-origin.ts';
import type { HeaderElement } from '../access/ws-security/security-header.ts';
import type { AuditRefusal, CallCounter, Invoke } from '../calls/call.ts';
import type { Operation, OperationInput, ResultRecord, Transport } from '../contract/contract.ts';
import type { Log } from '../log/log.ts';
import { type ErrorCode, ServiceError } from '../vocabulary/errors.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { type Fault, faultOf } from './faults.ts';
import { lacksBody, readBody } from './read-body.ts';
import { type CrossSiteSettings, refuseCrossSite } from './refuse-cross-site.ts';
import { correlationIdOf, idempotencyKeyOf, type NewCorrelationId } from './request-ids.ts';

/** What all exchanges of a service share. */
export interface ExchangeParts extends CrossSiteSettings, AnswerStyle {
  readonly invoke: Invoke;
  readonly newCorrelationId: NewCorrelationId;
  readonly originOf: OriginOf;
  readonly gate: Gate;
  readonly log: Log;
  readonly counters: readonly CallCounter[];
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  /** Which refused calls are logged. */
  readonly mayLog: (code: ErrorCode) => boolean;
  /** Audits a refusal of a request that did not become a call. */
  readonly auditRefusal: AuditRefusal;
}

/**
 * Refusals that indicate that a caller tries what it may not do, or calls too often. Refusals at a later stage are recorded by `invoke`.
 */
const AUDITED: ReadonlySet<ErrorCode> = new Set(['Unauthorized', 'TooManyRequests', 'CrossSite', 'MisdirectedRequest']);

/** Answers one request, or throws or rejects with what its fault is to be made from. */
export type Serve = (exchange: Exchange) => unknown;

/** One request on its way: what is known of it so far, for its answer, the log and the audit trail. */
export class Exchange implements Incoming {
  readonly request: Request;
  /** When it arrived, in milliseconds of the stopwatch. */
  readonly began: number;
  readonly correlationId: string;
  readonly origin: RequestOrigin;
  client: Client = ANONYMOUS;
  /** How it calls; 'http' as long as that is not known, and for what is no call. */
  transport: Transport | 'http';
  operation: Operation | undefined;
  protected readonly parts: ExchangeParts;

  constructor(parts: ExchangeParts, request: IncomingMessage, transport: Transport | 'http' = 'http') {
    this.parts = parts;
    this.request = request as Request;
    this.transport = transport;
    this.began = parts.stopwatch();
    this.correlationId = correlationIdOf(request, parts.newCorrelationId);
    this.origin = parts.originOf(request as ArrivedRequest);
  }

  get response(): Response {
    return this.request.res as Response;
  }

  /** Of its address, without a fragment, which some programs send as well. */
  get query(): string {
    return /\?([^#]*)/.exec(this.request.url)?.[1] ?? '';
  }

  /** Identifies the caller and counts the request for it. Throws, or rejects with, ServiceError. */
  admit(headers?: readonly HeaderElement[]): Promise<void> | undefined {
    return this.parts.gate.admit(this, headers);
  }

  /** Counts a request that anyone may make. Throws ServiceError `TooManyRequests`. */
  count(): void {
    this.parts.gate.count(this);
  }

  /** Lets it call an operation. Throws ServiceError for a foreign host name, or for a page of another site. */
  enter(operation: Operation): void {
    this.operation = operation;
    refuseCrossSite(this, operation, this.parts);
  }

  /**
   * Calls the operation that it entered, once its request is complete: what is answered as broken has not been executed. Throws, or rejects
   * with, ServiceError, an internal error or, if its caller gets refusals as faults and not as results, a Refusal.
   */
  call(input: OperationInput): Promise<ResultRecord> {
    const { request, response } = this;
    return lacksBody(request) ? readBody(request, response).then(() => this.#call(input)) : this.#call(input);
  }

  #call(input: OperationInput): Promise<ResultRecord> {
    const { client, correlationId, origin } = this;
    const result = this.parts.invoke({
      operation: this.operation as Operation,
      input,
      transport: this.transport as Transport,
      correlationId,
      client,
      network: origin.network,
      address: origin.address,
      idempotencyKey: idempotencyKeyOf(this.request),
    });
    return (client.refusals ?? this.parts.refusals) === 'fault' ? result : result.catch(resultOfRefusal);
  }

  /** Whether its caller gets no record of a success. */
  get hidesResults(): boolean {
    return (this.client.results ?? this.parts.results) === 'none';
  }

  /** The fault to answer an error with. Records it: internal errors with their cause, the caller's errors without their text. */
  failed(error: unknown): Fault {
    const { client, correlationId, operation, parts, transport } = this;
    const { address } = this.origin;
    const fault = faultOf(error, correlationId);
    const { code } = fault;
    // `invoke` has recorded it.
    if (error instanceof Refusal) return fault;
    for (const counter of parts.counters) counter.count({ operation, transport, fault: code });
    if (AUDITED.has(code)) {
      const known = transport === 'http' ? undefined : transport;
      void parts.auditRefusal({ client, address, operation, transport: known, code, correlationId });
    }
    // While the database is unreachable, every call fails, and each line contains an error with its causes.
    if (!parts.mayLog(code)) return fault;
    const line = {
      ...{ correlationId, transport, code, client: client.name, address, operation: operation?.name },
      // A name that is not in the contract is the caller's text.
      parameter: operation?.parameters.find(({ name }) => name === fault.parameter)?.name,
      reason: error instanceof ServiceError ? error.reason : undefined,
      milliseconds: Math.round(parts.stopwatch() - this.began),
    };
    if (code === 'Internal' || code === 'Unavailable') parts.log.error('call failed', { ...line, error });
    else parts.log.info('call rejected', line);
    return fault;
  }
}

function resultOfRefusal(error: unknown): ResultRecord {
  if (error instanceof Refusal) return error.record;
  throw error;
}
