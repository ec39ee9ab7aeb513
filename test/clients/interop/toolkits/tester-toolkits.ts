import type { ForeignClient } from '../foreign-client.ts';
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
];
