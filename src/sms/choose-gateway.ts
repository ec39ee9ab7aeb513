import type { SmsConfig } from '../settings/sms-settings.ts';
import { fileGatewayName } from '../vocabulary/file-gateway.ts';
import { createFileGateway } from './file-gateway.ts';
import type { Gateway, GatewayAddress, GatewayDependencies } from './gateway.ts';
import { chooseHttpGateway } from './http/choose-http-gateway.ts';
import type { ReadStatusCall } from './http/status-callback.ts';
import { requireWritable } from './require-writable.ts';
import { chooseSmppGateway } from './smpp/choose-smpp-gateway.ts';

/** A gateway that was chosen and found right, and is not connected yet: only the process that works the outbox connects. */
export interface ChosenGateway {
  /** For the start message; holds no secret. */
  readonly description: string;
  /** Where it listens; undefined for a file. */
  readonly address?: GatewayAddress;
  /** Reads a call-back of the gateway; undefined if it makes none. */
  readonly readStatusCall?: ReadStatusCall | undefined;
  open(dependencies: GatewayDependencies): Gateway;
}

/**
 * The one place where a gateway is chosen. Undefined if there is none. Throws if its settings don't fit together: a mistake that
 * shall stop the start.
 */
export function chooseGateway(settings: SmsConfig): ChosenGateway | undefined {
  const { gateway: location } = settings;
  switch (location.kind) {
    case 'off':
      return undefined;
    case 'file':
      requireWritable(location.path);
      return {
        description: fileGatewayName(location.path),
        open: ({ clock }) => createFileGateway({ path: location.path, clock }),
      };
    case 'http':
      return chooseHttpGateway(location.template, settings);
    case 'smpp':
      return chooseSmppGateway(location, settings);
  }
}
