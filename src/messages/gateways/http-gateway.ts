import { validateHeaderName } from 'node:http';
import { readNamedFile } from '../../settings/named-file.ts';
import type { SmsConfig } from '../../settings/sms-settings.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { ChosenGateway, Gateway, GatewayAddress, GatewayDependencies } from './gateway.ts';
import { STATUS_PATH } from './gateway.ts';
import { sendRequest } from './http-exchange.ts';
import { writeRequest } from './http-request.ts';
import { checkHttpTemplate, type HttpTemplate } from './http-template.ts';
import { type HttpAccount, SAMPLE } from './placeholders.ts';
import { fateOf, receiptsIn } from './provider-reports.ts';

export type HttpSettings = Pick<SmsConfig, 'username' | 'password' | 'sender' | 'callbackSecret'>;

const KANNEL = new URL('../../../examples/gateways/kannel.json', import.meta.url);

/** The gateway of `kannel` or of a template file. Throws a SetUpError that reports what is wrong with its template or its settings. */
export function chooseHttpGateway(name: string, settings: HttpSettings): ChosenGateway {
  const template = checkHttpTemplate(readTemplate(name), name);
  const { callbacks } = template;
  const { url, address } = targetOf(name, template, settings);
  return {
    // Without path, query or account.
    description: `http:${name} at ${url.protocol}//${url.host}`,
    address,
    readStatusCallback: callbacks && ((query, body) => receiptsIn(query, body, callbacks)),
    open: (dependencies) => {
      const { callbackSecret } = settings;
      const hasCallback = callbackSecret !== undefined && callbacks !== undefined;
      const callbackUrl = hasCallback ? `${dependencies.baseUrl}${STATUS_PATH}/${callbackSecret}` : undefined;
      return createHttpGateway(template, { ...settings, callbackUrl }, dependencies);
    },
  };
}

function readTemplate(name: string): unknown {
  const said = `SMS_GATEWAY=http:${name}`;
  const text = readNamedFile(said, name === 'kannel' ? KANNEL : name);
  try {
    return JSON.parse(text);
  } catch {
    throw new SetUpError(`${said}: expected JSON`);
  }
}

/** Throws a SetUpError if the template does not produce a valid request. It quotes nothing, because an address may contain a key. */
function targetOf(name: string, template: HttpTemplate, settings: HttpSettings): { url: URL; address: GatewayAddress } {
  try {
    const account = { ...settings, callbackUrl: undefined };
    const { url, headers } = writeRequest(template, account, SAMPLE, 0);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('another protocol');
    for (const header of Object.keys(headers)) validateHeaderName(header);
    const tls = url.protocol === 'https:';
    const port = Number(url.port) || (tls ? 443 : 80);
    return { url, address: { host: url.hostname.replace(/^\[|\]$/g, ''), port, tls } };
  } catch {
    throw new SetUpError(
      `SMS_GATEWAY=http:${name}: expected an http or https URL, and header names of letters, digits and hyphens`,
    );
  }
}

/** A gateway that accepts messages as HTTP requests, described by a checked template. */
export const createHttpGateway = (
  template: HttpTemplate,
  account: HttpAccount,
  dependencies: Pick<GatewayDependencies, 'clock' | 'environment' | 'maySubmit'>,
): Gateway => ({
  send: async (message) => {
    try {
      const request = writeRequest(template, account, message, dependencies.clock());
      const answer = await sendRequest(request, template.timeoutSeconds * 1000, dependencies);
      return 'kind' in answer ? answer : fateOf(answer, template.answers);
    } catch {
      // Node refuses to send such a request. The error may quote a value, so it is not reported.
      return { kind: 'failed', code: 'request' };
    }
  },
  // Each request has a connection of its own.
  close: async () => {},
});
