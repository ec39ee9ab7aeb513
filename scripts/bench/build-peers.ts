import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownWsdl } from '../../src/contract/wsdl-document.ts';
import { installPackages } from '../../test/clients/interop/install-packages.ts';

const SOURCES = join(import.meta.dirname, 'soap-core');
const CONTRACT = join(import.meta.dirname, '../../test/clients/interop/dotnet/write-contract.ts');

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

/** Builds the gSOAP service in a folder that does not exist yet; returns its program. */
export async function buildGsoap(folder: string): Promise<string> {
  await installPackages(['gsoap', 'libgsoap-dev', 'g++']);
  cpSync(join(import.meta.dirname, 'gsoap'), folder, { recursive: true });
  writeFileSync(join(folder, 'service.wsdl'), ownWsdl());
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, stdio: 'ignore' });
  run('wsdl2h', '-o', 'service.h', 'service.wsdl');
  run('soapcpp2', '-1', '-j', '-S', '-x', '-L', '-I/usr/share/gsoap/import', 'service.h');
  const sources = ['server.cpp', 'soapC.cpp', 'soapTPWebServicesSoapService.cpp'];
  run('g++', '-O2', '-I.', '-DWITH_DEFAULT_VIRTUAL', '-o', 'server', ...sources, '-lgsoap++');
  return join(folder, 'server');
}

/** Installs a commit of this repository in a folder that does not exist yet; returns the file that starts it. */
export function installCommit(commit: string, folder: string): string {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  execFileSync('npm', ['ci'], { cwd: folder, stdio: 'ignore' });
  return join(folder, 'src/start.js');
}
