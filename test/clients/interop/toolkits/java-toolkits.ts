import { FETCH_WSDL, type ForeignClient, soapOnly } from '../foreign-client.ts';

/** What the registry gave, in a folder of the work tree. */
const CACHE = '$HERE/../../../../.toolkits';

/** For programs that run for seconds. */
export const JVM = `export JAVA_TOOL_OPTIONS='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'`;

/** Finds the classpath of a profile of pom.xml with Maven, which downloads what it does not have; one at a time, since they share a folder. */
export const findClasspath = (profile: string): string => `
  mkdir -p "${CACHE}"
  exec 9>"${CACHE}/lock"
  flock 9
  [ "${CACHE}/${profile}" -nt "$HERE/java/pom.xml" ] || mvn -q -B -f "$HERE/java/pom.xml" -P ${profile} \\
    -Dmaven.repo.local="$(realpath "${CACHE}")/maven" dependency:build-classpath -Dmdep.outputFile="$(realpath "${CACHE}")/${profile}" >had 2>&1 || {
    echo "skipped, Maven does not have it: $(grep -m 1 'ERROR]' had | sed 's/.*ERROR] //' | cut -c 1-200)" >&2; exit 1; }
  cp "${CACHE}/${profile}" classpath`;

/** Generates proxies, whose messages show only if that fails. */
const generate = (tool: string): string =>
  `java -cp "$(cat classpath)" ${tool} >made 2>&1 || { cat made >&2; exit 1; }`;
/** The generators of proxies, of a WSDL in a word of the shell. */
const wsdl2java = (wsdl: string) => generate(`org.apache.cxf.tools.wsdlto.WSDLToJava -p proxy -d . ${wsdl}`);
const wsimport = (wsdl: string) =>
  generate(`com.sun.tools.ws.WsImport -quiet -extension -Xnocompile -s . -p proxy ${wsdl}`);
const xjc = (wsdl: string) => generate(`com.sun.tools.xjc.Driver -quiet -extension -p proxy -d . -wsdl ${wsdl}`);
/** A stub is of one port. */
const axis2 = (wsdl: string, binding = 'adb') => `
  for port in soap11:TPWebServicesSoap soap12:TPWebServicesSoap12; do
    ${generate(`org.apache.axis2.wsdl.WSDL2Java -d ${binding} -uri ${wsdl} -p proxy -pn \${port#*:} -S . -o \${port%:*}`)}
  done`;

interface JavaToolkit {
  readonly name: string;
  /** Of pom.xml. */
  readonly profile: string;
  /** Whether it has the names jakarta in the place of javax. */
  readonly isJakarta: boolean;
  /** The class that is run, and those that it needs. */
  readonly adapters: readonly [string, ...string[]];
  /** Undefined if it needs no sources. */
  readonly generate?: (wsdl: string) => string;
  /** The folders of the proxies, if each is of one transport. */
  readonly proxies?: string;
}

const CXF = { adapters: ['CxfToolkit', 'JaxwsToolkit'], generate: wsdl2java } as const;
const JAXWS = { adapters: ['JaxwsToolkit'], generate: wsimport } as const;
const cxf3: JavaToolkit = { ...CXF, name: 'CXF 3.5', profile: 'cxf3', isJakarta: false };
const cxf4: JavaToolkit = { ...CXF, name: 'CXF 4.1', profile: 'cxf4', isJakarta: true };
const dynamic: JavaToolkit = {
  name: 'CXF 4.1, dynamic client',
  profile: 'cxf4',
  isJakarta: true,
  adapters: ['CxfDynamicToolkit'],
};
const camel: JavaToolkit = { ...cxf4, name: 'Camel 4.14', adapters: ['CamelToolkit', 'JaxwsToolkit'] };
const ri: JavaToolkit = { ...JAXWS, name: 'JAX-WS RI 2.3.7', profile: 'ri', isJakarta: false };
const metro: JavaToolkit = { ...JAXWS, name: 'Metro 4.0', profile: 'metro', isJakarta: true };
const saaj: JavaToolkit = { name: 'SAAJ 3', profile: 'metro', isJakarta: true, adapters: ['SaajToolkit'] };
const spring: JavaToolkit = {
  name: 'Spring-WS 4.0',
  profile: 'metro',
  isJakarta: true,
  adapters: ['SpringToolkit'],
  generate: xjc,
};
const adb: JavaToolkit = {
  name: 'Axis2 1.8 ADB',
  profile: 'axis2',
  isJakarta: false,
  adapters: ['Axis2Toolkit'],
  generate: axis2,
  proxies: 'soap11 soap12',
};
const xmlBeans: JavaToolkit = {
  ...adb,
  name: 'Axis2 1.8 XMLBeans',
  adapters: ['Axis2XmlBeansToolkit', 'Axis2Toolkit'],
  generate: (wsdl) => axis2(wsdl, 'xmlbeans'),
};

function client(
  { profile, isJakarta, adapters, generate: generated, name, proxies }: JavaToolkit,
  wsdl: string,
): ForeignClient {
  const sources = ['Toolkit', ...adapters].map((each) => `"$HERE/java/${each}.java"`).join(' ');
  return {
    name: `Java ${name}`,
    folder: 'toolkits',
    packages: ['default-jdk-headless', 'maven'],
    needs: findClasspath(profile),
    prepare: `${JVM}
      ${generated?.(wsdl) ?? ''}
      mkdir -p sources proxy
      cp ${sources} sources/
      ${isJakarta ? "sed -i -E 's/javax\\.(jws|xml\\.ws|xml\\.soap)/jakarta.\\1/' sources/*.java" : ''}
      for proxies in ${proxies ?? 'proxy'}; do
        javac -nowarn -encoding UTF-8 -cp "$(cat classpath)" -d $proxies/classes $(find $proxies sources -name '*.java') 2>made ||
          { cat made >&2; exit 1; }
      done`,
    run: `${JVM}; "$NODE" "$HERE/drive.ts" java -cp "${proxies === undefined ? 'proxy' : '$TRANSPORT'}/classes:$TRANSPORT/resources:$(cat classpath)" Toolkit ${adapters[0]}`,
    ...soapOnly('proxies of SOAP only'),
    // Axis2 makes an instant of each dateTime, in the zone of its machine.
    ...(profile === 'axis2' ? { zone: 'Asia/Kolkata' as const } : {}),
  };
}

const old = (toolkit: JavaToolkit, settings?: ForeignClient['settings']): ForeignClient => {
  const { name, run, ...others } = client(toolkit, '"$OLD_WSDL"');
  return {
    ...others,
    name: `${name}, old WSDL`,
    run: `export CALLS=old; ${run}`,
    ...(settings === undefined ? {} : { settings }),
  };
};

export const JAVA_CLIENTS: readonly ForeignClient[] = [
  ...[cxf3, cxf4, dynamic, camel, ri, metro, saaj, spring, adb, xmlBeans].map((toolkit) => ({
    ...client(toolkit, '"$WSDL"'),
    callsAll: true,
  })),
  ...[metro, adb].map((toolkit) => old(toolkit)),
  // CXF takes any content of an answer for an error.
  ...[cxf3, cxf4].map((toolkit) => old(toolkit, { RESULTS: 'none' })),
];

export const JAVA_ACCESS_CLIENTS: readonly ForeignClient[] = [cxf3, cxf4, metro, spring, adb].map((toolkit) => {
  const { name, prepare, ...others } = client(toolkit, 'service.wsdl');
  return {
    ...others,
    name: `${name} logs in`,
    prepare: `${FETCH_WSDL}
      keytool -importcert -noprompt -alias ca -file "$CA" -keystore trust.p12 -storetype PKCS12 -storepass changeit 2>/dev/null
      ${prepare}`,
  };
});
