// npm run ci -- openapi: lints /openapi.json with Redocly and Spectral, generates two clients from it, and calls the service with them; then
// as testers do, sends what Postman imports from it through Prism, which compares requests and answers with it, and asks Prism's mock.
// The packages are installed beside the project, because only this step needs their several hundred dependencies. Schemathesis, of Python,
// makes hundreds of calls to all operations, and compares the statuses, headers, media types and contents of the answers with the document.
import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../clients/interop/run-command.ts';
import { pythonEnvironment } from '../../clients/interop/toolkits/python-toolkits.ts';
import { freePort } from '../../support/process/free-port.ts';
import { startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const PACKAGES = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  '@hey-api/openapi-ts@0.99.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
  'openapi-to-postmanv2@6.3.3',
  'newman@6.2.2',
  '@stoplight/prism-cli@5.16.0',
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

const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };
const { GET, POST } = createClient<paths>({ baseUrl, headers: form });
const list = await GET('/TPWebServices.asmx/GetDoctor', { params: { query: { centerid: 1 } } });
check('openapi-fetch, a list', list.data?.Doctors?.Doctor.some(({ DoctorID }) => DoctorID === 101), true);
const changed = await POST('/TPWebServices.asmx/Appointment_Status_Updates', {
  body: { AppointmentID: booked.data?.AppointmentID ?? 0, type: 6, appdate: '', apptime: '', centerid: 1 },
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

/** Whoever does not ask for JSON gets XML, which the document leaves out. */
const SCHEMATHESIS = [
  ...['run', '-H', 'Accept: application/json', '--seed', '1', '--max-examples', '25', '--no-color', '--checks'],
  'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance',
];
const INSTALL_LIMIT = 180_000;
const TOOLKITS = fileURLToPath(new URL('../../clients/interop/toolkits', import.meta.url));

/** Statuses of the imported requests, in their order, forms after queries: those of an empty record or recipient are refused. */
const IMPORTED = [200, 200, 404, 404, 422, 422, 200, 200, 200, 200, 422, 422, 200, 200];

const service = await startService();
const folder = temporaryFolder();
const write = (name: string, content: string) => writeFileSync(join(folder.path, name), content);
async function run(...[command, ...parameters]: readonly [string, ...string[]]): Promise<void> {
  const [code] = await once(spawn(command, parameters, { cwd: folder.path, stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${code}.`);
}
/** Prism behind or in the place of the service, while `use` runs. `npx` would not pass on the signal that ends it. */
async function withPrism(words: readonly string[], use: (url: string) => Promise<void>): Promise<void> {
  const port = await freePort();
  const script = join(folder.path, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const prism = spawn(process.execPath, [script, ...words, '-p', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const [text] of on(prism.stdout, 'data')) if (String(text).includes('is listening')) break;
    await use(`http://127.0.0.1:${port}`);
  } finally {
    prism.kill();
  }
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

  await run(
    'npx',
    'openapi2postmanv2',
    '-s',
    'openapi.json',
    '-o',
    'imported.json',
    '-O',
    'parametersResolution=Example',
  );
  const report = ['--reporters', 'json', '--reporter-json-export', 'report.json'];
  // With --errors, Prism answers 500 to a request, and in the place of an answer, that the document does not describe.
  await withPrism(['proxy', '--errors', join(folder.path, 'openapi.json'), service.baseUrl], (url) =>
    run('npx', 'newman', 'run', 'imported.json', '--env-var', `baseUrl=${url}`, ...report),
  );
  const sent = JSON.parse(readFileSync(join(folder.path, 'report.json'), 'utf8')).run.executions;
  deepEqual(
    sent.map((each: { readonly response: { readonly code: number } }) => each.response.code),
    IMPORTED,
  );
  await withPrism(['mock', join(folder.path, 'openapi.json')], async (url) => {
    const ask = async (headers: Readonly<Record<string, string>>) =>
      JSON.parse(await (await fetch(`${url}/TPWebServices.asmx/GetDoctor?centerid=1`, { headers })).text());
    equal((await ask({ Accept: 'application/json' })).Doctors.Doctor[0].DoctorID, 101);
    equal((await ask({ Accept: 'application/json', Prefer: 'code=404' })).ResultCode, 11);
  });
  const environment = await runCommand(pythonEnvironment('python3'), folder.path, { HERE: TOOLKITS }, INSTALL_LIMIT);
  if (environment.code === 0) {
    const program = fileURLToPath(new URL('../../../.toolkits/python3/venv/bin/schemathesis', import.meta.url));
    await run(program, ...SCHEMATHESIS, `${service.baseUrl}/openapi.json`);
  } else console.log(`Schemathesis not had: ${environment.errors.trim().split('\n').at(-1)}`);
  console.log(
    'Two linters found no error, and the clients of two generators got their answers, as did Postman and a mock.',
  );
} finally {
  await service.close();
  folder.remove();
}
