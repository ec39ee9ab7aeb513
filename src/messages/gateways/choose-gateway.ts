import type { SmsConfig } from '../../settings/sms-settings.ts';
import { chooseFileGateway } from './file-gateway.ts';
import type { ChosenGateway } from './gateway.ts';

/**
 * The only place that chooses a gateway. It loads only what that gateway needs. Undefined if there is none. Rejects if its settings are
 * inconsistent, because such a mistake must prevent the start.
 */
export async function chooseGateway(settings: SmsConfig): Promise<ChosenGateway | undefined> {
  const { gateway } = settings;
  switch (gateway.kind) {
    case 'off':
      return undefined;
    case 'file':
      return chooseFileGateway(gateway.path);
    case 'http': {
      const { chooseHttpGateway } = await import('./http-gateway.ts');
      return chooseHttpGateway(gateway.template, settings);
    }
    case 'smpp': {
      const { chooseSmppGateway } = await import('./smpp-gateway.ts');
      return chooseSmppGateway(gateway, settings);
    }
  }
}
