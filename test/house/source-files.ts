import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** One file of src/. */
export interface SourceFile {
  /** Relative to src/, with slashes. */
  readonly path: string;
  readonly lineCount: number;
  /** The text without comments. Comments are found by the form that the formatter gives them. */
  readonly code: string;
  readonly imports: readonly Import[];
}

interface Import {
  /** A file's path relative to src/, or a package's name without the path inside it. */
  readonly target: string;
  readonly isFile: boolean;
  readonly typesOnly: boolean;
}

export const root = new URL('../../', import.meta.url);

/** The documents' paths, relative to the project. */
export const documents: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`),
];

const FROM = /^(import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'/g;

/** Every TypeScript file of src/. */
export function sourceFiles(): readonly SourceFile[] {
  return readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => sourceFile(path, readFileSync(new URL(`src/${path}`, root), 'utf8')));
}

export function sourceFile(path: string, text: string): SourceFile {
  const code = text.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/ .*$/gm, '$1');
  return {
    path,
    lineCount: text.split('\n').length - 1,
    code,
    imports: [
      ...[...code.matchAll(FROM)].map(([, , type, name = '']) => importOf(path, name, type !== undefined)),
      ...[...code.matchAll(DYNAMIC)].map(([, name = '']) => importOf(path, name, false)),
    ],
  };
}

function importOf(path: string, name: string, typesOnly: boolean): Import {
  if (name.startsWith('.')) return { target: posix.join(posix.dirname(path), name), isFile: true, typesOnly };
  const parts = name.split('/');
  const target = name.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? name);
  return { target, isFile: false, typesOnly };
}
