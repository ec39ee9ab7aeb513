interface Declaration {
  readonly prefix: string;
  /** What the declaration hides: the namespace to which the prefix was bound before. */
  readonly hidden: string | undefined;
}

/**
 * The namespace declarations in scope at one point of a document. The default namespace has the prefix ''. Source: Namespaces in XML 1.0,
 * 6.
 */
export class NamespaceScope {
  readonly #byPrefix = new Map<string, string>();
  /** The innermost last. */
  readonly #declared: Declaration[] = [];

  /** How many declarations are in scope. Pass this to `endAt` when leaving an element. */
  get count(): number {
    return this.#declared.length;
  }

  /** Adds a declaration; `namespace` may be empty only for the prefix ''. */
  declare(prefix: string, namespace: string): void {
    this.#declared.push({ prefix, hidden: this.#byPrefix.get(prefix) });
    this.#byPrefix.set(prefix, namespace);
  }

  /** Whether a prefix has been declared since there were `count` declarations. */
  isDeclaredSince(count: number, prefix: string): boolean {
    for (let at = count; at < this.#declared.length; at++) if (this.#declared[at]?.prefix === prefix) return true;
    return false;
  }

  /** Removes all but the first `count` declarations. */
  endAt(count: number): void {
    while (this.#declared.length > count) {
      const { prefix, hidden } = this.#declared.pop() as Declaration;
      if (hidden === undefined) this.#byPrefix.delete(prefix);
      else this.#byPrefix.set(prefix, hidden);
    }
  }

  /** The namespace to which a prefix is bound; '' means no namespace. Undefined if the prefix is not bound. */
  namespaceOf(prefix: string): string | undefined {
    return this.#byPrefix.get(prefix) ?? (prefix === '' ? '' : undefined);
  }
}
