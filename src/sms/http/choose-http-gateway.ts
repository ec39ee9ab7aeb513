import { readFileSync } from 'node:fs';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { Gateway, GatewayDependencies } from '../gateway.ts';
import { STATUS_PATH } from '../status-path.ts';
import { createHttpGateway, httpGatewayDescription } from './http-gateway.ts';
import type { HttpAccount } from './placeholders.ts';
import { HTTP_PRESETS } from './presets.ts';
import { compileStatusReader, type ReadStatusCall } from './status-callback.ts';
import { checkHttpTemplate, type HttpTemplate } from './template-schema.ts';

export interface HttpSettings extends Omit<HttpAccount, 'callbackUrl'> {
  /** Goes before the template's. */
  readonly url: string | undefined;
  /** Requests at the same time. */
  readonly window: number;
  /** Part of the address of call-backs; undefined if there are none. */
  readonly callbackSecret: string | undefined;
}

interface ChosenHttpGateway {
  readonly description: string;
  readonly readStatusCall: ReadStatusCall | undefined;
  open(dependencies: GatewayDependencies): Gateway;
}

/** The gateway of a preset or a template file. Throws a SetUpError that says what is wrong with its template or its settings. */
export function chooseHttpGateway(
  location: { readonly preset: string } | { readonly template: string },
  settings: HttpSettings,
): ChosenHttpGateway {
  const name = 'preset' in location ? location.preset : location.template;
  const read = 'preset' in location ? presetNamed(name) : templateIn(name);
  const template: HttpTemplate = settings.url === undefined ? read : { ...read, url: literal(settings.url) };
  const description = httpGatewayDescription({ name, template, account: { ...settings, callbackUrl: undefined } });
  return {
    description,
    readStatusCall: template.callbacks === undefined ? undefined : compileStatusReader(template.callbacks),
    open: (dependencies) => {
      const { callbackSecret, window } = settings;
      const callbackUrl =
        callbackSecret === undefined || template.callbacks === undefined
          ? undefined
          : `${dependencies.baseUrl}${STATUS_PATH}/${callbackSecret}`;
      return createHttpGateway({ name, template, account: { ...settings, callbackUrl }, window }, dependencies);
    },
  };
}

function presetNamed(name: string): HttpTemplate {
  const preset = HTTP_PRESETS.get(name);
  if (preset === undefined) {
    throw new SetUpError(`SMS_GATEWAY=http:${name}: expected ${[...HTTP_PRESETS.keys()].join(', ')} or a .json file`);
  }
  return checkHttpTemplate(preset, name);
}

function templateIn(file: string): HttpTemplate {
  let written: unknown;
  try {
    written = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SetUpError(
      `SMS_GATEWAY=http:${file}: ${error instanceof SyntaxError ? 'expected JSON' : 'cannot be read'}`,
    );
  }
  return checkHttpTemplate(written, file);
}

/** An address of the settings is no template: a brace in it is a brace. */
const literal = (url: string): string => url.replaceAll('{', '%7B').replaceAll('}', '%7D');
