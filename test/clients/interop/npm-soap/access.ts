// Logs in with the security classes of the soap library.
import { readFileSync } from 'node:fs';
import { BasicAuthSecurity, type Client, ClientSSLSecurity, createClientAsync, type ISecurity, WSSecurity } from 'soap';

// biome-ignore lint/suspicious/noExplicitAny: the library types what it reads as any
type Any = any;

const { WSDL = '', TRANSPORT: transport = '', TOKEN_USER = '', BASIC_USER = '', PASSWORD = '' } = process.env;
const { CA = '', CLIENT_CERT = '', CLIENT_KEY = '' } = process.env;
const isSoap12 = transport === 'soap12';

function report(check: string, ok: boolean, detail: unknown = ''): void {
  process.stdout.write(
    `${JSON.stringify({ operation: 'GetDoctor', transport, check, ok, detail: ok ? '' : String(detail) })}\n`,
  );
}

/** The answer, or the fault. */
async function call(security: ISecurity | undefined): Promise<Any> {
  // The library keeps a client's security for all its calls.
  const client: Client = await createClientAsync(WSDL, { forceSoap12Headers: isSoap12 });
  if (security !== undefined) client.setSecurity(security);
  const method = (client as Any).TPWebServices[isSoap12 ? 'TPWebServicesSoap12' : 'TPWebServicesSoap'].GetDoctor;
  return new Promise((resolve) => {
    method({ centerid: 1 }, (error: Any, answer: Any) => resolve(error ?? answer));
  });
}

async function passes(check: string, security: ISecurity): Promise<void> {
  const answer = await call(security);
  const count = answer.GetDoctorResult?.Doctors?.Doctor?.length;
  report(check, count === 10, answer.message ?? count);
}

async function isRefused(check: string, security: ISecurity | undefined, text: string): Promise<void> {
  const answer = await call(security);
  report(check, JSON.stringify(answer.root ?? answer.body ?? '').includes(text), answer.message);
}

const FAILED = 'FailedAuthentication';
const envelope = { envelopeKey: 'soap' };
for (const passwordType of ['PasswordText', 'PasswordDigest']) {
  await passes(passwordType, new WSSecurity(TOKEN_USER, PASSWORD, { ...envelope, passwordType }));
  const careful = { ...envelope, passwordType, hasNonce: true, mustUnderstand: true };
  await passes(`${passwordType} that must be understood`, new WSSecurity(TOKEN_USER, PASSWORD, careful));
  const wrong = new WSSecurity(TOKEN_USER, `${PASSWORD}x`, { ...envelope, passwordType });
  await isRefused(`wrong ${passwordType}`, wrong, FAILED);
}
const fixed = new WSSecurity(TOKEN_USER, PASSWORD, { ...envelope, passwordType: 'PasswordDigest' });
const xml = fixed.toXML();
fixed.toXML = () => xml;
await passes('a nonce', fixed);
await isRefused('the nonce again', fixed, FAILED);

await passes('HTTP Basic', new BasicAuthSecurity(BASIC_USER, PASSWORD));
const [key, cert, ca] = [CLIENT_KEY, CLIENT_CERT, CA].map((file) => readFileSync(file));
await passes('certificate', new ClientSSLSecurity(key as Buffer, cert as Buffer, ca as Buffer));
await isRefused('nothing', undefined, 'cannot identify the caller');
