import { FETCH_WSDL, type ForeignClient } from '../foreign-client.ts';

/** Go keeps what the registry gave, and what it compiled, in a folder of the work tree. */
const GO = `
  cache="$(realpath "$HERE/../../../..")/.toolkits/go"
  export GOMODCACHE="$cache/modules" GOCACHE="$cache/built" GOFLAGS='-modcacherw -buildvcs=false' GOTOOLCHAIN=local`;

const needs = (tool: string): string => `${GO}
  command -v go >/dev/null || { echo 'skipped, there is no Go' >&2; exit 1; }
  mkdir -p proxy
  cp "$HERE"/go/go.{mod,sum} .
  go build -o tool ${tool} >had 2>&1 || { echo "skipped, Go does not have it: $(tail -1 had | cut -c 1-200)" >&2; exit 1; }`;

interface GoToolkit {
  readonly name: string;
  readonly adapter: string;
  /** The program that generates the proxy, or a package if there is none. */
  readonly tool: string;
  /** Generates the proxy of service.wsdl. */
  readonly generate?: string;
  readonly transports: Pick<ForeignClient, 'transports' | 'others'>;
}

const gowsdl: GoToolkit = {
  name: 'gowsdl 0.5',
  adapter: 'gowsdl',
  tool: 'github.com/hooklift/gowsdl/cmd/gowsdl',
  generate: './tool -p proxy -o proxy.go service.wsdl >made 2>&1 || { cat made >&2; exit 1; }',
  transports: { transports: ['soap11'], others: 'gowsdl speaks SOAP 1.1 only' },
};
const wsdl2go: GoToolkit = {
  name: 'wsdl2go 1.4',
  adapter: 'wsdl2go',
  tool: 'github.com/fiorix/wsdl2go',
  // It takes the last portType of a WSDL, whose messages are no SOAP, and leaves the namespace of a request out.
  generate: `
    perl -0pi -e 's/<wsdl:(portType|binding|port) name="\\w+Http(Get|Post)".*?<\\/wsdl:\\1>//gs' service.wsdl
    ./tool -p proxy -i service.wsdl -o proxy/proxy.go
    sed -i -E 's/^(\\s+(\\w+)\\s+\\*\\2 +\`xml:")\\2,/\\1http:\\/\\/tempuri.org\\/ \\2,/' proxy/proxy.go`,
  transports: { transports: ['soap12'], others: 'wsdl2go speaks SOAP 1.2 if the WSDL has it' },
};
const gosoap: GoToolkit = {
  name: 'gosoap 1.4',
  adapter: 'gosoap',
  tool: 'github.com/tiaguinho/gosoap',
  transports: { transports: ['soap11'], others: 'gosoap speaks SOAP 1.1 only' },
};

/** With the command that writes service.wsdl. */
const client = ({ name, adapter, tool, generate = '', transports }: GoToolkit, getWsdl: string): ForeignClient => ({
  name: `Go ${name}`,
  folder: 'toolkits',
  packages: ['curl'],
  needs: needs(tool),
  prepare: `${GO}
    ${getWsdl}
    ${generate}
    cp "$HERE/go/toolkit.go" "$HERE/go/${adapter}.go" .
    go build -o toolkit .`,
  run: '"$NODE" "$HERE/drive.ts" ./toolkit',
  ...transports,
});

export const GO_CLIENTS: readonly ForeignClient[] = [
  ...[gowsdl, wsdl2go, gosoap].map((toolkit) => ({
    ...client(toolkit, 'curl -sS --fail -o service.wsdl "$WSDL"'),
    callsAll: true,
  })),
  ...[gowsdl, wsdl2go].map((toolkit) => {
    const { name, run, ...others } = client(toolkit, 'cp "$OLD_WSDL" service.wsdl');
    return { ...others, name: `${name}, old WSDL`, run: `export CALLS=old; ${run}` };
  }),
];

export const GO_ACCESS_CLIENTS: readonly ForeignClient[] = [gowsdl, wsdl2go, gosoap].map((toolkit) => ({
  ...client(toolkit, FETCH_WSDL),
  name: `Go ${toolkit.name} logs in`,
}));
