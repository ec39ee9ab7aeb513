import { SetUpError } from '../../vocabulary/errors.ts';
import type { Gateway, GatewayAddress, GatewayDependencies } from '../gateway.ts';
import type { SmppAddress } from './smpp-connection.ts';
import { openSmppGateway, smppDescription } from './smpp-gateway.ts';

export interface SmppSettings {
  /** system_id. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly sender: string | undefined;
}

/** An address, with the settings by which its SMS center differs from most others. */
interface SmppLocation extends SmppAddress {
  readonly systemType: string;
  readonly longMessages: 'udh' | 'payload';
}

interface ChosenSmppGateway {
  readonly description: string;
  readonly address: GatewayAddress;
  open(dependencies: GatewayDependencies): Gateway;
}

/** The SMS center at an address. Throws a SetUpError, which quotes no secret, for settings that do not fit into the protocol's fields. */
export function chooseSmppGateway(location: SmppLocation, settings: SmppSettings): ChosenSmppGateway {
  const { systemType, longMessages, ...address } = location;
  const { username = '', password = '', sender } = settings;
  if (username === '') throw new SetUpError('SMS_USERNAME: expected the system_id, which an SMPP gateway needs');
  requireText('SMS_USERNAME', username, 15);
  requireText('SMS_GATEWAY, system_type', systemType, 12);
  requireText('SMS_SENDER', sender ?? '', 20);
  // The protocol allows 8; many SMS centers accept more.
  requireText('SMS_PASSWORD', password, 64);
  return {
    description: smppDescription(address),
    address,
    open: (dependencies) =>
      openSmppGateway({ address, systemId: username, password, systemType, sender, longMessages }, dependencies),
  };
}

/** Source: SMPP 3.4, 5.2.1 to 5.2.3 and 5.2.8: ASCII of limited length. */
function requireText(setting: string, value: string, longest: number): void {
  if (value.length > longest || !/^[\x20-\x7e]*$/.test(value)) {
    throw new SetUpError(`${setting}: expected up to ${longest} characters of ASCII for an SMPP gateway`);
  }
}
