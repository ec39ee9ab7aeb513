import { readFileSync } from 'node:fs';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { Gateway, GatewayAddress, GatewayDependencies } from '../gateway.ts';
import { STATUS_PATH } from '../status-path.ts';
import { createHttpGateway, httpGatewayTarget } from './http-gateway.ts';
import { KANNEL } from './kannel.ts';
import { neededAccount } from './needed-account.ts';
import type { HttpAccount } from './placeholders.ts';
import { compileStatusReader, type ReadStatusCall } from './status-callback.ts';
import { checkHttpTemplate, type HttpTemplate } from './template-schema.ts';

export interface HttpSettings extends Omit<HttpAccount, 'callbackUrl'> {
  /** Prefix of the template's URL. */
  readonly url: string | undefined;
  /** Part of the callback URL; undefined if there are no callbacks. */
  readonly callbackSecret: string | undefined;
}

interface ChosenHttpGateway {
  readonly description: string;
  readonly address: GatewayAddress;
  readonly readStatusCall: ReadStatusCall | undefined;
  open(dependencies: GatewayDependencies): Gateway;
}

/** The gateway of `kannel` or of a template file. Throws a SetUpError that reports what is wrong with its template or its settings. */
export function chooseHttpGateway(name: string, settings: HttpSettings): ChosenHttpGateway {
  const read = checkHttpTemplate(name === 'kannel' ? KANNEL : readTemplate(name), name);
  const template: HttpTemplate = settings.url === undefined ? read : { ...read, url: literal(settings.url) };
  const missing = neededAccount(template).filter(({ name }) => settings[name] === undefined);
  if (missing.length > 0) {
    const list = missing.map(({ setting }) => setting).join(' and ');
    throw new SetUpError(`SMS_GATEWAY=http:${name}: its requests need ${list}; expected ${list} to be set as well.`);
  }
  const { description, address } = httpGatewayTarget({
    name,
    template,
    account: { ...settings, callbackUrl: undefined },
  });
  return {
    description,
    address,
    readStatusCall: template.callbacks === undefined ? undefined : compileStatusReader(template.callbacks),
    open: (dependencies) => {
      const { callbackSecret } = settings;
      const callbackUrl =
        callbackSecret === undefined || template.callbacks === undefined
          ? undefined
          : `${dependencies.baseUrl}${STATUS_PATH}/${callbackSecret}`;
      return createHttpGateway({ name, template, account: { ...settings, callbackUrl } }, dependencies);
    },
  };
}

function readTemplate(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SetUpError(
      `SMS_GATEWAY=http:${file}: ${error instanceof SyntaxError ? 'expected JSON' : 'cannot be read'}`,
    );
  }
}

/** An address from the settings is not a template: a brace in it is literal. */
const literal = (url: string): string => url.replaceAll('{', '%7B').replaceAll('}', '%7D');
