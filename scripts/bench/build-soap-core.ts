import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(import.meta.dirname, 'soap-core');
const CONTRACT = join(import.meta.dirname, '../../test/interop/dotnet/write-contract.ts');

/** Builds the SoapCore service in a folder that does not exist yet; returns its assembly. Needs the .NET SDK 10, and NuGet's packages. */
export function buildSoapCore(folder: string): string {
  cpSync(SOURCES, folder, { recursive: true });
  writeFileSync(join(folder, 'Contract.cs'), execFileSync(process.execPath, [CONTRACT]));
  try {
    execFileSync('dotnet', ['build', '-c', 'Release', '-o', 'out', '-v', 'quiet'], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    const { stdout } = error as { stdout?: Buffer };
    throw new Error(`The SoapCore service cannot be built. ${stdout ?? (error as Error).message}`, { cause: error });
  }
  return join(folder, 'out', 'SoapCoreService.dll');
}
