import type { ForeignClient } from '../foreign-client.ts';

/** Makes an environment of Python, with what the registry gave, in a folder of the work tree; one at a time, since they share it. */
export const pythonEnvironment = (python: string): string => `
  cache="$(realpath "$HERE/../../../..")/.toolkits/${python}"
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock 9
  [ "$cache/done" -nt "$HERE/python/requirements.txt" ] || {
    # Of pyenv, any release.
    for version in '' $(pyenv versions --bare 2>/dev/null || true); do
      PYENV_VERSION="$version" ${python} -m venv --clear "$cache/venv" >had 2>&1 && break
    done
    [ -x "$cache/venv/bin/pip" ] || { echo 'skipped, there is no ${python} with venv' >&2; exit 1; }
    "$cache/venv/bin/pip" install -q --disable-pip-version-check -r "$HERE/python/requirements.txt" >had 2>&1 || {
      echo "skipped, pip does not have it: $(grep -m 1 ERROR had | cut -c 1-200)" >&2; exit 1; }
    touch "$cache/done"
  }`;

interface PythonToolkit {
  readonly name: string;
  readonly python?: string;
  /** The class of toolkit.py, and its mode. */
  readonly adapter: string;
  /** A command before its calls. */
  readonly before?: string;
  /** Why it does not have SOAP 1.2. */
  readonly only11?: string;
}

const zeep: PythonToolkit = { name: 'zeep 4.3', adapter: 'Zeep strict' };
const lax: PythonToolkit = { name: 'zeep 4.3, not strict', adapter: 'Zeep lax' };
const asynchronous: PythonToolkit = { name: 'zeep 4.3, async', adapter: 'Zeep async' };
const oldZeep: PythonToolkit = { name: 'zeep 4.3, Python 3.8', adapter: 'Zeep strict', python: 'python3.8' };
const suds: PythonToolkit = {
  name: 'suds-community 1.2',
  adapter: 'Suds',
  // It takes the text &amp; for one that the program has escaped.
  before: `export TEXT="\${TEXT/&amp;/\\&}"`,
  only11: 'suds speaks SOAP 1.1 only',
};
const pysimplesoap: PythonToolkit = {
  name: 'pysimplesoap 1.16',
  adapter: 'Pysimplesoap',
  only11: 'pysimplesoap calls the first port of the WSDL',
};
const requests: PythonToolkit = { name: 'requests 2.34', adapter: 'Requests' };

const client = (
  { name, python = 'python3', adapter, before = '', only11 }: PythonToolkit,
  calls = '',
): ForeignClient => ({
  name: `Python ${name}`,
  folder: 'toolkits',
  packages: [],
  needs: pythonEnvironment(python),
  run: `${before}
    ${calls}
    "$NODE" "$HERE/drive.ts" "$HERE/../../../../.toolkits/${python}/venv/bin/python" "$HERE/python/toolkit.py" ${adapter}`,
  transports: only11 === undefined ? ['soap11', 'soap12'] : ['soap11'],
  others: only11 ?? 'of SOAP only here',
});

export const PYTHON_CLIENTS: readonly ForeignClient[] = [
  ...[zeep, lax, asynchronous, oldZeep, suds, pysimplesoap, requests].map((toolkit) => ({
    ...client(toolkit),
    callsAll: true,
  })),
  ...[zeep, lax, suds].map((toolkit) => ({
    ...client(toolkit, 'export CALLS=old'),
    name: `Python ${toolkit.name}, old WSDL`,
  })),
];

export const PYTHON_ACCESS_CLIENTS: readonly ForeignClient[] = [zeep, oldZeep, suds, requests].map((toolkit) => ({
  // A variable of the machine would take precedence over the program's setting.
  ...client(toolkit, 'export REQUESTS_CA_BUNDLE="$CA"'),
  name: `Python ${toolkit.name} logs in`,
}));
