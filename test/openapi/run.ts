// npm run ci -- openapi: lints /openapi.json with Redocly and Spectral, generates two clients from it, and calls the service with them.
// The packages are installed beside the project, because only this step needs their several hundred dependencies.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../support/process/start-service.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const PACKAGES = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  '@hey-api/openapi-ts@0.99.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
];

/** Whoever only fetches gets XML, so both clients are told once which type they want. */
const CALLS = `
import createClient from 'openapi-fetch';
import type { paths } from './schema';
import { client } from './client/client.gen.js';
import { appointmentStatusPost, fetchDetailsPost, getDoctorGet } from './client/sdk.gen.js';

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl = '', day = ''] = process.argv;
const headers = { Accept: 'application/json' };
const check = (what: string, is: unknown, expected: unknown): void => {
  if (is !== expected) throw new Error(what + ': ' + JSON.stringify(is) + ', expected ' + JSON.stringify(expected));
};

client.setConfig({ baseUrl, headers });
const doctors = await getDoctorGet({ query: { centerid: 1 } });
check('hey-api, a list', doctors.data?.Doctors?.Doctor.some(({ DoctorID }) => DoctorID === 101), true);
const patient = { title: '', Sex: '', Age: '', area: '', contactnumber: '+442079460000', email: '' };
const slot = { DoctorID: 101, app_date: day, app_time: '10:15', centerid: 1 };
const booked = await fetchDetailsPost({ body: { ...patient, ...slot, RegistrationNumber: 'R-1', Name: 'Asha Rao' } });
check('hey-api, a booking', booked.data?.ResultCode, 0);
const unknown = await appointmentStatusPost({ body: { AppointmentID: 999_999, centerid: 1 } });
check('hey-api, a refusal', (unknown.error as { ResultCode?: number }).ResultCode, 20);

const { GET, POST } = createClient<paths>({ baseUrl, headers });
const list = await GET('/TPWebServices.asmx/GetDoctor', { params: { query: { centerid: 1 } } });
check('openapi-fetch, a list', list.data?.Doctors?.Doctor.some(({ DoctorID }) => DoctorID === 101), true);
const changed = await POST('/TPWebServices.asmx/Appointment_Status_Updates', {
  body: { AppointmentID: booked.data?.AppointmentID ?? 0, type: 6, appdate: '', apptime: '', centerid: 1 },
  bodySerializer: (body) => new URLSearchParams(body as unknown as Record<string, string>),
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
});
check('openapi-fetch, a cancellation', changed.data?.StatusText, 'Cancelled');
`;

const COMPILER = {
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    outDir: 'built',
    skipLibCheck: true,
  },
  files: ['calls.ts'],
};

const service = await startService();
const folder = temporaryFolder();
const write = (name: string, content: string) => writeFileSync(join(folder.path, name), content);
async function run(...[command, ...parameters]: readonly [string, ...string[]]): Promise<void> {
  const [code] = await once(spawn(command, parameters, { cwd: folder.path, stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${code}.`);
}
try {
  write('openapi.json', await (await fetch(`${service.baseUrl}/openapi.json`)).text());
  write('package.json', '{"private": true, "type": "module"}');
  write('.spectral.yaml', 'extends: spectral:oas\nrules:\n  operation-tags: off\n  info-contact: off\n');
  write('calls.ts', CALLS);
  write('tsconfig.json', JSON.stringify(COMPILER));
  write(
    'openapi-ts.config.mjs',
    `export default { input: 'openapi.json', output: { path: 'client', module: { extension: '.js' } }, plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'] };`,
  );
  await run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error', ...PACKAGES);
  await run('npx', 'redocly', 'lint', 'openapi.json');
  await run('npx', 'spectral', 'lint', 'openapi.json');
  await run('npx', 'openapi-ts', '--file', 'openapi-ts.config.mjs');
  await run('npx', 'openapi-typescript', 'openapi.json', '-o', 'schema.d.ts');
  await run('npx', 'tsc');
  const { default: document } = await import(join(folder.path, 'openapi.json'), { with: { type: 'json' } });
  const day: string = document.paths['/TPWebServices.asmx/Fetch_Details'].get.parameters[2].example;
  await run(process.execPath, 'built/calls.js', service.baseUrl, day);
  console.log('Two linters found no error, and the clients of two generators got their answers.');
} finally {
  await service.close();
  folder.remove();
}
