import { type ForeignClient, soapOnly } from '../foreign-client.ts';
import { findClasspath, JVM } from './java-toolkits.ts';

/** Tools of testers, which write the envelopes and forms themselves. */
export const TESTER_CLIENTS: readonly ForeignClient[] = [
  {
    name: 'Java Karate 1.5',
    folder: 'toolkits',
    packages: ['default-jdk-headless', 'maven'],
    needs: findClasspath('karate'),
    prepare: `${JVM}
      javac -nowarn -cp "$(cat classpath)" -d classes "$HERE/testers/KarateRun.java"
      cp "$HERE"/testers/*.feature classes/`,
    run: `${JVM}; java -cp "classes:$(cat classpath)" KarateRun classpath:operations.feature`,
  },
  {
    name: 'Java JMeter 5.6',
    folder: 'toolkits',
    packages: ['default-jdk-headless', 'maven'],
    needs: findClasspath('jmeter'),
    // Settings and functions are found in an installation's folders, from the jars that have them.
    prepare: `${JVM}
      javac -nowarn -cp "$(cat classpath)" -d classes "$HERE/testers/JmeterRun.java"
      mkdir -p home/lib/ext
      tr ':' '\\n' <classpath >jars
      cp "$(grep ApacheJMeter_functions jars)" home/lib/ext/
      cd home
      jar xf "$(grep ApacheJMeter_config ../jars)"`,
    run: `${JVM}
      envelope=http://schemas.xmlsoap.org/soap/envelope/ type='text/xml; charset=utf-8'
      [ "$TRANSPORT" = soap11 ] || {
        envelope=http://www.w3.org/2003/05/soap-envelope type='application/soap+xml; charset=utf-8; action="http://tempuri.org/\${operation}"'; }
      sed "s|@ENDPOINT@|$ENDPOINT|; s|@ENVELOPE@|$envelope|; s|@TYPE@|$type|" "$HERE/testers/plan.jmx" >plan.jmx
      sed "s/RUN/$RUN/g; s/DAY/$DAY/g" "$HERE/testers/calls.csv" >calls.csv
      rm -f results.jtl
      java -Djava.awt.headless=true -cp "classes:$(cat classpath)" JmeterRun -n -d home -p home/bin/jmeter.properties \
        -t plan.jmx -l results.jtl -j jmeter.log -Jjmeter.save.saveservice.default_delimiter='|' >&2
      awk -F'|' -f "$HERE/testers/outcomes.awk" results.jtl`,
    ...soapOnly('of SOAP only here'),
  },
];
