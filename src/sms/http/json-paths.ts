/**
 * Numbers stay as they are written, because ids of 19 digits do not fit into a double. JSON inside JSON is read once, here, because many
 * events may be beside it.
 */
const asRead = (_name: string, value: unknown, context: { readonly source?: string }): unknown =>
  typeof value === 'number' ? (context.source ?? String(value)) : unfolded(value);

/** Parses JSON, with its numbers as texts; undefined if it is not JSON. */
export function readJsonTexts(text: string): unknown {
  try {
    return JSON.parse(text, asRead as (name: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON inside JSON or a form, as some providers send it. */
export const unfolded = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[[{]/.test(value) ? (readJsonTexts(value) ?? value) : value;

function childOf(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as JsonObject)[step];
}

/** The value at a path such as `messages.0.id`, as text; undefined if there is none. */
export function textAt(value: unknown, path: string): string | undefined {
  let at = value;
  for (const step of path === '' ? [] : path.split('.')) at = childOf(at, step);
  return typeof at === 'string' || typeof at === 'boolean' ? String(at) : undefined;
}

/** The objects at a path, each with the objects that enclose it, innermost first; `*` is every item. At most `most`. */
export function objectsAt(value: unknown, path: string, most: number): readonly (readonly JsonObject[])[] {
  const found: (readonly JsonObject[])[] = [];
  const walk = (at: unknown, steps: readonly string[], around: readonly JsonObject[]): void => {
    if (found.length >= most) return;
    const scopes = isJsonObject(at) ? [at, ...around] : around;
    const [step, ...rest] = steps;
    if (step === undefined) {
      if (isJsonObject(at)) found.push(scopes);
    } else if (step !== '*') walk(childOf(at, step), rest, scopes);
    else if (Array.isArray(at)) for (const item of at) walk(item, rest, scopes);
  };
  walk(value, path === '' ? [] : path.split('.'), []);
  return found;
}
