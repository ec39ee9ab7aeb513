interface Declaration {
  readonly prefix: string;
  readonly namespace: string;
}

/**
 * The namespace declarations in scope at one point of a document. The default namespace has the prefix ''. Source: Namespaces in XML 1.0,
 * 6.
 */
export class NamespaceScope {
  /** The innermost last. */
  readonly #declared: Declaration[] = [];

  /** How many declarations are in scope. Pass this to `endAt` when leaving an element. */
  get count(): number {
    return this.#declared.length;
  }

  /** Adds a declaration; `namespace` may be empty only for the prefix ''. */
  declare(prefix: string, namespace: string): void {
    this.#declared.push({ prefix, namespace });
  }

  /** Whether a prefix has been declared since there were `count` declarations. */
  isDeclaredSince(count: number, prefix: string): boolean {
    for (let at = count; at < this.#declared.length; at++) if (this.#declared[at]?.prefix === prefix) return true;
    return false;
  }

  /** Removes all but the first `count` declarations. */
  endAt(count: number): void {
    while (this.#declared.length > count) this.#declared.pop();
  }

  /** The namespace to which a prefix is bound; '' means no namespace. Undefined if the prefix is not bound. */
  namespaceOf(prefix: string): string | undefined {
    return this.#declared.findLast((one) => one.prefix === prefix)?.namespace ?? (prefix === '' ? '' : undefined);
  }
}
