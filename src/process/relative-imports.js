import { posix } from 'node:path';

/** Matches a file named by its path from the importing one, as in `../store/open-store.ts`. */
const RELATIVE = /^\.\.?\/[\w./-]+(\.[jt]s)$/;
/** Captures the folder of a file on this machine. */
const FOLDER = /^file:\/\/(\/[^?#]+)\/[^/?#]*$/;

/**
 * A hook for `registerHooks` that resolves the relative imports of ES modules without the file system. For each of a thousand files, Node
 * checks whether it exists, what its real path is, and what `.js` means according to the nearest package.json above it. Here, only the last
 * is checked, once per folder. A missing file is noticed when it is read.
 */
export function resolveRelativeImports() {
  /** By folder and file name extension: Node's answer for the first such file. */
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
    // For CommonJS exports and undeclared formats, Node has to read the file.
    if (resolved.format?.startsWith('module')) formats.set(kind, resolved.format);
    return resolved;
  };
}
