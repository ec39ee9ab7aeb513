import { DOTNET_CLIENTS } from './dotnet-clients.ts';
import { FETCH_WSDL, type ForeignClient, soapOnly } from './foreign-client.ts';
import { GO_CLIENTS } from './toolkits/go-toolkits.ts';
import { JAVA_CLIENTS } from './toolkits/java-toolkits.ts';
import { PYTHON_CLIENTS } from './toolkits/python-toolkits.ts';
import { TESTER_CLIENTS } from './toolkits/tester-toolkits.ts';

export const MONO = ['mono-devel', 'mono-mcs'];
/** Generates the four proxies of a WSDL, and compiles a program with each. */
export const csharpPrograms = (wsdl: string, source: string): string => `
  for protocol in SOAP SOAP12 HttpGet HttpPost; do
    wsdl /nologo /protocol:$protocol /namespace:Proxy /out:$protocol.cs ${wsdl}
  done
  compile() { mcs -nologo -nowarn:0219 -r:System.Web.Services.dll -r:System.EnterpriseServices.dll -r:Microsoft.CSharp.dll "$HERE/Checks.cs" "$@"; }
  compile -out:soap11.exe SOAP.cs ${source}
  compile -out:soap12.exe SOAP12.cs ${source}
  compile -d:FORM -out:httpGet.exe HttpGet.cs ${source}
  compile -d:FORM -out:httpPost.exe HttpPost.cs ${source}`;

export const JAXWS = ['default-jdk-headless', 'jaxws'];
/** Jars in /usr/share/java that JAX-WS needs on a Java without it, in addition to its own. */
const JAXWS_JARS = `jaxws-rt jaxws-api jaxb-api jaxb-core jaxb-impl javax.activation jws-api saaj-impl saaj stax-ex streambuffer
  istack-commons-runtime txw2 FastInfoset mimepull metro-policy gmbal stax2-api woodstox-core geronimo-annotation-1.3-spec
  glassfish-management-api`;
/** From jar names separated by white space. */
const classPath = (jars: string): string =>
  jars
    .split(/\s+/)
    .map((jar) => `/usr/share/java/${jar}.jar`)
    .join(':');
export const jaxwsProgram = (wsdl: string, source: string): string => `
  mkdir classes
  wsimport -quiet -extension -Xnocompile -s . -p proxy ${wsdl}
  javac -nowarn -encoding UTF-8 -d classes -cp ${classPath(JAXWS_JARS)} proxy/*.java "$HERE/Checks.java" "$HERE/${source}.java"`;
export const jaxwsRun = (program: string): string => `java -cp classes:${classPath(JAXWS_JARS)} ${program}`;

const AXIS_PATH = classPath('axis axis-jaxrpc axis-saaj commons-discovery commons-logging wsdl4j javax.activation');
const AXIS = {
  folder: 'java',
  packages: ['default-jdk-headless', 'libaxis-java'],
  transports: ['soap11'],
  others: 'Axis 1.4 makes proxies of SOAP 1.1 only',
  zone: 'Asia/Kolkata',
} as const;
const axisProgram = (wsdl: string, source: string): string => `
  mkdir classes
  java -cp ${AXIS_PATH} org.apache.axis.wsdl.WSDL2Java -p proxy -o . ${wsdl}
  javac -nowarn -encoding UTF-8 -d classes -cp ${AXIS_PATH} proxy/*.java "$HERE/Checks.java" "$HERE/${source}.java"`;

const PHP = {
  folder: 'php',
  packages: ['php-cli', 'php-soap', 'php-xml'],
  ...soapOnly('SoapClient speaks SOAP only'),
};
const JAVA = { folder: 'java', packages: JAXWS, ...soapOnly('JAX-WS has no proxies of HTTP bindings') };
const PERL = { folder: 'perl', packages: ['libsoap-lite-perl'], ...soapOnly('SOAP::Lite speaks SOAP only') };

/** Every client on another platform. */
export const FOREIGN_CLIENTS: readonly ForeignClient[] = [
  { name: 'curl', folder: 'curl', packages: ['curl'], run: 'bash "$HERE/client.sh"' },
  // The npm library soap is in test/unit/transports/soap/soap-client.test.ts.
  {
    name: 'Python zeep',
    folder: 'zeep',
    packages: ['python3-zeep'],
    run: '/usr/bin/python3 "$HERE/client.py"',
    callsAll: true,
  },
  {
    name: 'Python pysimplesoap',
    folder: 'pysimplesoap',
    packages: ['python3-pysimplesoap'],
    run: '/usr/bin/python3 "$HERE/client.py"',
    transports: ['soap11'],
    others: 'pysimplesoap calls the first port of the WSDL',
  },
  { ...PHP, name: 'PHP SoapClient', run: 'php "$HERE/client.php"' },
  { ...PHP, name: 'PHP SoapClient without WSDL', run: 'MODE=non-wsdl php "$HERE/client.php"' },
  { ...PHP, name: 'PHP SoapClient, guessed types', run: 'MODE=defaults php "$HERE/client.php"' },
  { ...PHP, name: 'PHP SoapClient, old WSDL', run: 'php "$HERE/old-client.php"' },
  {
    name: 'C# wsdl',
    folder: 'csharp',
    packages: MONO,
    // It finds the WSDL from the address of the service alone, too.
    prepare: `wsdl /nologo /out:found.cs "$ENDPOINT"
      grep -q Fetch_DetailsAsync found.cs
      ${FETCH_WSDL}\n${csharpPrograms('service.wsdl', '"$HERE/Client.cs"')}`,
    run: 'mono $TRANSPORT.exe',
  },
  {
    name: 'C# wsdl, old WSDL',
    folder: 'csharp',
    packages: MONO,
    prepare: csharpPrograms('"$OLD_WSDL"', '"$HERE/OldClient.cs"'),
    run: 'mono $TRANSPORT.exe',
  },
  {
    name: 'C# WCF',
    folder: 'csharp',
    packages: MONO,
    // Mono's svcutil gives every operation the action *, uses its action as the answer's, and leaves faults out. Corrected here to match
    // what Microsoft's svcutil writes.
    prepare: `${FETCH_WSDL}
      svcutil /out:generated.cs "file://$PWD/service.wsdl"
      sed -E 's/^( *\\[System.ServiceModel.)OperationContractAttribute\\(Action="\\*", ReplyAction="([^"]*)"\\)\\]/\\1OperationContractAttribute(Action="\\2", ReplyAction="*")]\\n\\1FaultContractAttribute(typeof(ServiceFault), Action="\\2", Name="ServiceFault")]/' \
        generated.cs >proxy.cs
      mcs -nologo -nowarn:0219 -d:WCF -r:System.Web.Services.dll -r:System.ServiceModel.dll -r:System.Runtime.Serialization.dll \
        -r:Microsoft.CSharp.dll -out:wcf.exe proxy.cs "$HERE/ServiceFault.cs" "$HERE/Checks.cs" "$HERE/Client.cs"`,
    run: 'mono wcf.exe',
    ...soapOnly('svcutil makes proxies of SOAP only'),
  },
  ...DOTNET_CLIENTS,
  {
    ...JAVA,
    name: 'Java JAX-WS',
    prepare: `${FETCH_WSDL}\n${jaxwsProgram('service.wsdl', 'JaxwsClient')}`,
    run: jaxwsRun('JaxwsClient'),
  },
  {
    ...JAVA,
    name: 'Java JAX-WS, old WSDL',
    prepare: jaxwsProgram('"$OLD_WSDL"', 'JaxwsOldClient'),
    run: jaxwsRun('JaxwsOldClient'),
  },
  {
    ...AXIS,
    name: 'Java Axis 1.4',
    prepare: `${FETCH_WSDL}\n${axisProgram('service.wsdl', 'AxisClient')}`,
    run: `java -cp classes:${AXIS_PATH} AxisClient`,
  },
  {
    ...AXIS,
    name: 'Java Axis 1.4, old WSDL',
    prepare: axisProgram('"$OLD_WSDL"', 'AxisOldClient'),
    run: `java -cp classes:${AXIS_PATH} AxisOldClient`,
    settings: { RESULTS: 'none' },
  },
  {
    name: 'Perl SOAP::WSDL, old WSDL',
    folder: 'perl',
    packages: ['libsoap-wsdl-perl'],
    prepare: 'wsdl2perl -b lib -p Old "file://$OLD_WSDL"',
    run: 'perl "$HERE/wsdl-old.pl"',
    settings: { RESULTS: 'none' },
    transports: ['soap11'],
    others: 'SOAP::WSDL makes proxies of SOAP 1.1 only',
  },
  { ...PERL, name: 'Perl SOAP::Lite', run: 'perl "$HERE/client.pl"' },
  { ...PERL, name: 'Perl SOAP::Lite, guessed types', run: 'MODE=defaults perl "$HERE/client.pl"' },
  {
    name: 'C++ gSOAP',
    folder: 'gsoap',
    packages: ['gsoap', 'libgsoap-dev', 'g++'],
    prepare: `${FETCH_WSDL}
      wsdl2h -R -o service.h service.wsdl
      # A proxy keeps the version of SOAP for which it was generated, whatever soap_set_version says.
      for version in 1 2; do
        mkdir $version
        soapcpp2 -$version -j -C -x -L -I/usr/share/gsoap/import -d $version service.h
        g++ -I$version -o client$version "$HERE/client.cpp" $version/soapC.cpp $version/soapTPWebServicesSoapProxy.cpp -lgsoap++
      done`,
    run: 'case $TRANSPORT in soap11) ./client1 ;; *) ./client2 ;; esac',
    zone: 'Asia/Kolkata',
  },
  {
    name: 'C++ KDSoap',
    folder: 'kdsoap',
    packages: ['libkdsoap-dev', 'pkg-config', 'g++'],
    prepare: `${FETCH_WSDL}
      kdwsdl2cpp -o proxy.h service.wsdl
      kdwsdl2cpp -impl proxy.h -o proxy.cpp service.wsdl
      /usr/lib/qt5/bin/moc proxy.h -o moc.cpp
      g++ -fPIC $(pkg-config --cflags Qt5Network) -I/usr/include/KDSoapClient -I. -o client "$HERE/client.cpp" proxy.cpp moc.cpp \
        -lkdsoap $(pkg-config --libs Qt5Network)`,
    run: './client',
    ...soapOnly('kdwsdl2cpp makes proxies of SOAP only'),
  },
  ...JAVA_CLIENTS,
  ...GO_CLIENTS,
  ...PYTHON_CLIENTS,
  ...TESTER_CLIENTS,
];
