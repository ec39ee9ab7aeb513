import { harmlessCode, harmlessReference, type SendOutcome } from '../gateway.ts';
import type { AnswerRule, FoundAt } from './http-template.ts';
import { readJsonTexts, textAt } from './json-paths.ts';

export interface GatewayAnswer {
  readonly status: number;
  /** The beginning of the body, up to 64 KiB. */
  readonly body: string;
}

/** The number of characters that regular expressions are applied to. */
const MOST_MATCHED = 4096;

/** What an answer means: the first rule of the template that fits decides; if there is none, the HTTP status does. */
export function outcomeOf({ status, body }: GatewayAnswer, rules: readonly AnswerRule[]): SendOutcome {
  const head = body.slice(0, MOST_MATCHED);
  const json = readJsonTexts(body);
  const fits = (rule: AnswerRule): boolean =>
    (rule.status?.some((wanted) => wanted === status || wanted === `${Math.floor(status / 100)}xx`) ?? true) &&
    (rule.body === undefined || new RegExp(rule.body, 'u').test(head)) &&
    Object.entries(rule.json ?? {}).every(([path, texts]) => texts.includes(textAt(json, path) ?? ''));
  const found = (at: FoundAt | undefined): string | undefined => {
    if (at === undefined) return undefined;
    return 'json' in at ? textAt(json, at.json) : new RegExp(at.match, 'u').exec(head)?.[1];
  };
  const rule = rules.find(fits);
  if (rule === undefined) return { kind: kindOf(status), code: `http-${status}` };
  return rule.means === 'submitted'
    ? { kind: 'submitted', reference: harmlessReference(found(rule.reference)) }
    : { kind: rule.means, code: harmlessCode(found(rule.code)) ?? `http-${status}` };
}

/**
 * A redirection, 401, 402, 403, 404, 405 or 407 means that our own address, key or account is at fault, and no message may be lost because
 * of that. After a 2xx, or a 5xx other than 503, it is unknown whether the message was accepted.
 */
function kindOf(status: number): 'unavailable' | 'failed' | 'refused' | 'unknown' {
  if ([401, 402, 403, 404, 405, 407, 429, 503].includes(status)) return 'unavailable';
  if (status < 200 || (status >= 300 && status < 400)) return 'unavailable';
  if (status === 408 || status === 425) return 'failed';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}
