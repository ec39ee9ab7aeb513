import { posix } from 'node:path';

/** Names a file by its path from the importing one, as in `../store/open-store.ts`. */
const RELATIVE = /^\.\.?\/[\w./-]+(\.[jt]s)$/;
/** The folder of a file on this machine. */
const FOLDER = /^file:\/\/(\/[^?#]+)\/[^/?#]*$/;

/**
 * A hook for `registerHooks` that resolves the relative imports of ES modules without the file system. Node asks it about each of a thousand
 * files: whether it exists, which is its real path, and which package.json above it says what `.js` means there. The last is asked here
 * once per folder; a missing file is noticed when it is read.
 */
export function resolveRelativeImports() {
  /** By folder and file name extension; Node's answer for the first such file. */
  const formats = new Map();
  return (specifier, context, nextResolve) => {
    const extension = RELATIVE.exec(specifier)?.[1];
    const folder = context.conditions.includes('import') ? FOLDER.exec(context.parentURL)?.[1] : undefined;
    if (extension === undefined || folder === undefined) return nextResolve(specifier, context);
    const path = posix.join(folder, specifier);
    const kind = posix.dirname(path) + extension;
    const format = formats.get(kind);
    if (format !== undefined) return { url: `file://${path}`, format, shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    // What CommonJS exports, and what an undeclared format is, Node finds out by reading the file.
    if (resolved.format?.startsWith('module')) formats.set(kind, resolved.format);
    return resolved;
  };
}
