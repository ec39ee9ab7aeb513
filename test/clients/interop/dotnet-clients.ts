import { FETCH_WSDL, type ForeignClient, soapOnly } from './foreign-client.ts';

/** Nothing may keep running: an MSBuild or compiler server would keep its original environment, and its output open. */
const QUIET = `
  export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_SVCUTIL_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_CLI_USE_MSBUILD_SERVER=0 MSBUILDDISABLENODEREUSE=1
  export UseSharedCompilation=false`;

const NEEDS_SDK = `
  command -v dotnet >/dev/null || { echo 'skipped, no .NET SDK: dotnet is not on the path, and Debian has no package of it' >&2; exit 1; }
  dotnet --list-sdks | grep -qE '^([1-9][0-9])\\.' || { echo "skipped, the .NET SDK is $(dotnet --version), not 10 or later" >&2; exit 1; }`;

/** Any other problem of the project is a failure, and shows when it is built. */
const NEEDS_WCF = `${NEEDS_SDK}${QUIET}
  cp "$HERE/Wcf.csproj" .
  dotnet restore Wcf.csproj >restored 2>&1 || true
  if lacking=$(grep -oE 'NU1(101|102|301): [^[]*' restored); then printf 'skipped, %s\\n' "$lacking" | head -n 1 >&2; exit 1; fi`;

/** Compiles a program of sources without packages. */
const httpClientProgram = (source: string): string => `${QUIET}
  cp "$HERE/HttpClient.csproj" "$HERE/${source}.cs" .
  dotnet build HttpClient.csproj -c Release -o out -v quiet`;

/**
 * A program with the proxy of a WSDL. If dotnet-svcutil is not available, write-contract.ts writes the same, and \`svcutil.json\` says so.
 */
const wcfProgram = (wsdl: string, contract: string, sources: string): string => `${QUIET}
  mkdir .config
  cp "$HERE/dotnet-tools.json" .config/
  if dotnet tool restore >tools 2>&1; then
    # Away from the project, to which it would add packages of no certain version.
    mkdir proxy
    (cd proxy && dotnet dotnet-svcutil ${wsdl} --targetFramework net10.0 --sync --namespace '*,Proxy' --outputDir . --outputFile Reference.cs) \
      >made 2>&1 || { cat made >&2; exit 1; }
    mv proxy/Reference.cs .
    rm -r proxy
    : >svcutil.json
  else
    "$NODE" "$HERE/write-contract.ts" ${contract} >Reference.cs
    printf '{"operation":"GetDoctor","check":"proxy of dotnet-svcutil","ok":null,"detail":"%s"}\\n' \\
      "of the same members, written by write-contract.ts, because the registry does not offer the tool: $(grep -o 'Version .* is not found' tools | head -n 1)" >svcutil.json
  fi
  cp ${sources} .
  # The message inspector of the guide.
  sed '1,/^.*\`RequestHeaders.cs\`:$/d' "$HERE/../../../../docs/callers/clients/dotnet.md" | sed '1,/^\`\`\`csharp$/d;/^\`\`\`$/,$d' >RequestHeaders.cs
  dotnet build Wcf.csproj -c Release -o out -v quiet`;

const RUN_WCF = 'cat svcutil.json; dotnet out/Wcf.dll';
/** From there, .NET reads the certificate authorities that it trusts. */
const TRUSTING = 'export SSL_CERT_FILE="$CA"';

const HTTP_CLIENT = { folder: 'dotnet', packages: [], needs: NEEDS_SDK };
const WCF = {
  folder: 'dotnet',
  packages: [],
  needs: NEEDS_WCF,
  ...soapOnly('dotnet-svcutil makes proxies of SOAP only'),
};

/** Clients of current .NET. */
export const DOTNET_CLIENTS: readonly ForeignClient[] = [
  {
    ...HTTP_CLIENT,
    name: '.NET HttpClient',
    prepare: httpClientProgram('HttpClientProgram'),
    run: 'dotnet out/HttpClient.dll',
  },
  {
    ...WCF,
    name: '.NET WCF',
    prepare: `${FETCH_WSDL}\n${wcfProgram('../service.wsdl', '', '"$HERE/../csharp/Client.cs" "$HERE/../csharp/Checks.cs"')}`,
    run: RUN_WCF,
  },
  {
    ...WCF,
    name: '.NET WCF, old WSDL',
    prepare: wcfProgram('"$OLD_WSDL"', '--old', '"$HERE/../csharp/OldClient.cs" "$HERE/../csharp/Checks.cs"'),
    run: RUN_WCF,
  },
];

/** Clients that log in. */
export const DOTNET_ACCESS_CLIENTS: readonly ForeignClient[] = [
  {
    ...HTTP_CLIENT,
    name: '.NET HttpClient logs in',
    prepare: httpClientProgram('HttpClientAccess'),
    run: `${TRUSTING}; dotnet out/HttpClient.dll`,
  },
  {
    ...WCF,
    name: '.NET WCF logs in',
    prepare: `${FETCH_WSDL}\n${wcfProgram('../service.wsdl', '', '"$HERE/AccessClient.cs"')}`,
    run: `${TRUSTING}; ${RUN_WCF}`,
  },
];
