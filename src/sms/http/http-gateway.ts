import { validateHeaderName } from 'node:http';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { Gateway, GatewayAddress, GatewayDependencies, OutgoingMessage, SendOutcome } from '../gateway.ts';
import { compileAnswerRules } from './answer-rules.ts';
import { exchange } from './exchange.ts';
import type { HttpAccount } from './placeholders.ts';
import { compileRequest } from './request-template.ts';
import type { HttpTemplate } from './template-schema.ts';

export interface HttpGatewaySettings {
  /** Name of the preset or template file. */
  readonly name: string;
  readonly template: HttpTemplate;
  readonly account: HttpAccount;
}

/** Any message will do: its values are escaped, so they do not affect the structure of a request. */
const SAMPLE: OutgoingMessage = {
  id: 1,
  mobile: '+919845012345',
  text: 'Hello',
  encoding: 'GSM-7',
  flash: false,
  expiresOn: undefined,
  header: undefined,
  dltTemplateId: undefined,
  principalEntityId: undefined,
};

/**
 * Identifies the gateway in the start message and the log: its name and host, without path, query or account.
 * Throws a SetUpError if the template does not produce a valid request. The error quotes nothing, because an address may contain a key.
 */
export function httpGatewayTarget({ name, template, account }: HttpGatewaySettings): {
  readonly description: string;
  readonly address: GatewayAddress;
} {
  try {
    const { url, headers } = compileRequest(template, account)(SAMPLE, 0);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('another protocol');
    for (const header of Object.keys(headers)) validateHeaderName(header);
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const address = { host: url.hostname.replace(/^\[|\]$/g, ''), port };
    return { description: `http:${name} at ${url.protocol}//${url.host}`, address };
  } catch {
    throw new SetUpError(
      `SMS_GATEWAY=http:${name}: expected an http or https URL, and header names of letters, digits and hyphens`,
    );
  }
}

/** A gateway that accepts messages as HTTP requests, described by a template. Throws if the template does not produce a valid request. */
export function createHttpGateway(settings: HttpGatewaySettings, { clock }: GatewayDependencies): Gateway {
  const { template, account } = settings;
  const write = compileRequest(template, account);
  const readAnswer = compileAnswerRules(template.answers);
  const onTheirWay = new Set<Promise<SendOutcome>>();

  async function handOver(message: OutgoingMessage): Promise<SendOutcome> {
    try {
      const result = await exchange(write(message, clock()), template.timeoutSeconds * 1000);
      if (result.kind === 'answered') return readAnswer(result.answer);
      return { kind: result.kind === 'unreached' ? 'unavailable' : 'unknown', code: result.code };
    } catch {
      // Node refuses to send such a request. The error may quote a value, so it is not reported.
      return { kind: 'failed', code: 'request' };
    }
  }

  return {
    description: httpGatewayTarget(settings).description,
    send: (message) => {
      const outcome = handOver(message).finally(() => onTheirWay.delete(outcome));
      onTheirWay.add(outcome);
      return outcome;
    },
    close: async () => {
      await Promise.all(onTheirWay);
    },
  };
}
