import type { SendOutcome } from '../gateway.ts';
import { harmlessCode, harmlessReference } from '../harmless-code.ts';
import { readJsonTexts, textAt } from './json-paths.ts';
import type { AnswerRule, FoundAt } from './template-schema.ts';

export interface GatewayAnswer {
  readonly status: number;
  /** The beginning of the body, up to 64 KiB. */
  readonly body: string;
}

export type ReadAnswer = (answer: GatewayAnswer) => SendOutcome;

/** The number of characters that regular expressions are applied to. */
const MOST_MATCHED = 4096;

/** Compiles a template's rules once. The first rule that matches decides; if there is none, the HTTP status does. */
export function compileAnswerRules(rules: readonly AnswerRule[]): ReadAnswer {
  const compiled = rules.map(compileRule);
  return ({ status, body }) => {
    const read = { status, head: body.slice(0, MOST_MATCHED), json: lazyJson(body) };
    for (const { fits, outcome } of compiled) if (fits(read)) return outcome(read);
    return byStatus(status);
  };
}

interface ReadableAnswer {
  readonly status: number;
  readonly head: string;
  readonly json: () => unknown;
}

function lazyJson(body: string): () => unknown {
  let read: { readonly json: unknown } | undefined;
  return () => {
    read ??= { json: readJsonTexts(body) };
    return read.json;
  };
}

function compileRule(rule: AnswerRule) {
  const statuses = rule.status?.map(String);
  const body = rule.body === undefined ? undefined : new RegExp(rule.body, 'u');
  const json = Object.entries(rule.json ?? {});
  const reference = compileFound(rule.reference);
  const code = compileFound(rule.code);
  const fits = (answer: ReadableAnswer): boolean =>
    (statuses?.some((wanted) => wanted === String(answer.status) || wanted === `${String(answer.status)[0]}xx`) ??
      true) &&
    (body?.test(answer.head) ?? true) &&
    json.every(([path, values]) => values.includes(textAt(answer.json(), path) ?? ''));
  const outcome = (answer: ReadableAnswer): SendOutcome =>
    rule.means === 'submitted'
      ? { kind: 'submitted', reference: harmlessReference(reference(answer)) }
      : { kind: rule.means, code: harmlessCode(code(answer)) ?? `http-${answer.status}` };
  return { fits, outcome };
}

function compileFound(at: FoundAt | undefined): (answer: ReadableAnswer) => string | undefined {
  if (at === undefined) return () => undefined;
  if ('json' in at) return ({ json }) => textAt(json(), at.json);
  const pattern = new RegExp(at.match, 'u');
  return ({ head }) => pattern.exec(head)?.[1];
}

/**
 * What an answer means if no rule matches. A redirection, 401, 402, 403, 404, 405 or 407 means that our own address, key or account is at
 * fault, and no message may be lost because of that. After a 2xx, or a 5xx other than 503, it is unknown whether the message was accepted.
 */
function byStatus(status: number): SendOutcome {
  const code = `http-${status}`;
  if (status === 429 || status === 503) return { kind: 'unavailable', code };
  if (status < 200 || (status >= 300 && status < 400)) return { kind: 'unavailable', code };
  if ([401, 402, 403, 404, 405, 407].includes(status)) return { kind: 'unavailable', code };
  if (status >= 400 && status < 500) return { kind: status === 408 || status === 425 ? 'failed' : 'refused', code };
  return { kind: 'unknown', code };
}
