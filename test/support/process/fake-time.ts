import { globSync } from 'node:fs';
import { installPackages } from '../../clients/interop/install-packages.ts';
import { DEBIAN_PACKAGES } from '../debian-packages.ts';

const find = (): string | undefined => globSync('/usr/lib/*/faketime/libfaketime.so.1')[0];

/** Debian's libfaketime, installed if it is missing; undefined if it is not available. */
export async function fakeTimeLibrary(): Promise<string | undefined> {
  if (find() === undefined) await installPackages(DEBIAN_PACKAGES.faketime);
  return find();
}

/** Variables that set a program's clock some seconds ahead of this machine's; its monotonic clock is unchanged. */
export const fakeTime = (library: string, seconds: number): Readonly<Record<string, string>> => ({
  LD_PRELOAD: library,
  FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  DONT_FAKE_MONOTONIC: '1',
});
