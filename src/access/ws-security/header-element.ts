/** An attribute of a header's element; `namespace` is empty for one without a prefix. */
export interface HeaderAttribute {
  readonly namespace: string;
  readonly localName: string;
  readonly value: string;
}

/** An element of a SOAP header, as it was read; the reader has held its depth, its elements and its lengths within their limits. */
export interface HeaderElement {
  readonly namespace: string;
  readonly localName: string;
  /** Without namespace declarations. */
  readonly attributes: readonly HeaderAttribute[];
  readonly children: readonly HeaderElement[];
  /** Its own text, references and CDATA resolved, comments left out; that of its children is theirs. */
  readonly text: string;
}
