/** Up to how many declarations are searched one by one. */
const FEW = 8;

/**
 * The namespace declarations in scope at one point of a document. The default namespace has the prefix ''. Source: Namespaces in XML 1.0,
 * 6.
 * A message has two or three of them, among which comparing is faster than a map. From the ninth on, a map is used, so that lookups stay
 * fast in a document that nests hundreds.
 */
export class NamespaceScope {
  /** The namespace of names without a prefix; empty for none. */
  defaultNamespace = '';
  /** Declarations, the innermost last. */
  #count = 0;
  readonly #prefixes: string[] = [];
  readonly #namespaces: string[] = [];
  /** What each of them hides: the namespace to which its prefix was bound before. */
  readonly #hidden: (string | undefined)[] = [];
  readonly #byPrefix = new Map<string, string>();

  /** How many declarations are in scope. Pass this to `endAt` when leaving an element. */
  get count(): number {
    return this.#count;
  }

  /** Adds a declaration; `namespace` may be empty only for the prefix ''. */
  declare(prefix: string, namespace: string): void {
    const index = this.#count;
    this.#hidden[index] = this.namespaceOf(prefix);
    this.#prefixes[index] = prefix;
    this.#namespaces[index] = namespace;
    this.#count = index + 1;
    if (prefix === '') this.defaultNamespace = namespace;
    if (index < FEW) return;
    if (index === FEW) this.#byPrefix.clear();
    for (let at = index === FEW ? 0 : index; at <= index; at++) {
      this.#byPrefix.set(this.#prefixes[at] as string, this.#namespaces[at] as string);
    }
  }

  /** Whether a prefix has been declared since there were `count` declarations. */
  isDeclaredSince(count: number, prefix: string): boolean {
    for (let at = count; at < this.#count; at++) if (this.#prefixes[at] === prefix) return true;
    return false;
  }

  /** Removes all but the first `count` declarations. */
  endAt(count: number): void {
    while (this.#count > count) {
      const index = --this.#count;
      const prefix = this.#prefixes[index] as string;
      const hidden = this.#hidden[index];
      // Keeps no reference to a document that has been read.
      this.#prefixes[index] = '';
      this.#namespaces[index] = '';
      this.#hidden[index] = '';
      if (prefix === '') this.defaultNamespace = hidden as string;
      if (index < FEW) continue;
      if (hidden === undefined) this.#byPrefix.delete(prefix);
      else this.#byPrefix.set(prefix, hidden);
    }
  }

  /** All declarations currently in scope, by prefix. */
  get declarations(): ReadonlyMap<string, string> {
    return new Map(this.#prefixes.slice(0, this.#count).map((prefix, at) => [prefix, this.#namespaces[at] as string]));
  }

  /** The namespace to which a prefix is bound; '' means the default namespace. Undefined if the prefix is not bound. */
  namespaceOf(prefix: string): string | undefined {
    if (prefix === '') return this.defaultNamespace;
    if (this.#count > FEW) return this.#byPrefix.get(prefix);
    for (let at = this.#count - 1; at >= 0; at--) if (this.#prefixes[at] === prefix) return this.#namespaces[at];
    return undefined;
  }
}
