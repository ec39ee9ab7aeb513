import type { SmsConfig } from '../settings/sms-settings.ts';
import { fileGatewayName } from '../vocabulary/messages.ts';
import { createFileGateway } from './file-gateway.ts';
import type { Gateway, GatewayAddress, GatewayDependencies } from './gateway.ts';
import type { ReadStatusCall } from './http/status-callback.ts';
import { requireWritable } from './require-writable.ts';

/** A gateway that was chosen and checked but is not connected yet: only the process that works on the outbox connects. */
export interface ChosenGateway {
  /** For the start message; contains no secret. */
  readonly description: string;
  /** Where it listens; undefined for a file. */
  readonly address?: GatewayAddress;
  /** Reads the gateway's status callbacks; undefined if it sends none. */
  readonly readStatusCall?: ReadStatusCall | undefined;
  open(dependencies: GatewayDependencies): Gateway;
}

/**
 * The only place that chooses a gateway. It loads only what that gateway needs. Undefined if there is none. Rejects if its settings are
 * inconsistent, because such a mistake must prevent the start.
 */
export async function chooseGateway(settings: SmsConfig): Promise<ChosenGateway | undefined> {
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
    case 'http': {
      const { chooseHttpGateway } = await import('./http/choose-http-gateway.ts');
      return chooseHttpGateway(location.template, settings);
    }
    case 'smpp': {
      const { chooseSmppGateway } = await import('./smpp/choose-smpp-gateway.ts');
      return chooseSmppGateway(location, settings);
    }
  }
}
