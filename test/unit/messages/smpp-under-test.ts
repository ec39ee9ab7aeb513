import type { GatewayDependencies } from '../../../src/messages/gateways/gateway.ts';
import { SmppGateway, type SmppGatewaySettings } from '../../../src/messages/gateways/smpp-gateway.ts';
import type { GatewayUnderTest } from './gateway-suite.ts';
import { type SmppServerProcess, startSmppServer } from './smpp-server-process.ts';

export const SYSTEM_ID = 'hospital';
export const PASSWORD = 'canary-77';

/** Waits short enough for a test. */
export const SHORT_TIMES = {
  connectMs: 2000,
  responseMs: 1000,
  enquireLinkMs: 30_000,
  reconnectMs: 20,
  longestReconnectMs: 100,
  submitMs: 5000,
};

/** Our gateway, connected to an SMS center for tests. */
export function openOn(
  server: SmppServerProcess,
  dependencies: GatewayDependencies,
  { times, ...settings }: Partial<SmppGatewaySettings> = {},
) {
  return new SmppGateway(
    {
      address: { host: '127.0.0.1', port: server.port, tls: false },
      systemId: SYSTEM_ID,
      password: PASSWORD,
      systemType: 'his',
      sender: 'HOSPTL',
      times: { ...SHORT_TIMES, ...times },
      ...settings,
    },
    dependencies,
  );
}

/** For `gatewaySuite`. */
export async function smppUnderTest(): Promise<GatewayUnderTest> {
  const server = await startSmppServer({ systemId: SYSTEM_ID, password: PASSWORD });
  return {
    open: (dependencies) => openOn(server, dependencies),
    received: async () => (await server.messages()).map(({ to, text, flash }) => ({ to, text, flash })),
    makeUnavailable: async () => {
      const { bindsRefused } = await server.counts();
      await server.behave({ bindStatus: 8 });
      await server.drop();
      await server.counts({ bindsRefused: bindsRefused + 1 });
    },
    makeAvailable: () => server.behave({ bindStatus: 0 }),
    dispose: () => server.stop(),
  };
}
