/** An attribute of an element in a header; `namespace` is empty if it has no prefix. */
export interface HeaderAttribute {
  readonly namespace: string;
  readonly localName: string;
  readonly value: string;
}

/** An element of a SOAP header. The reader has already enforced the limits on depth, number of elements and lengths. */
export interface HeaderElement {
  readonly namespace: string;
  readonly localName: string;
  /** Without namespace declarations. */
  readonly attributes: readonly HeaderAttribute[];
  readonly children: readonly HeaderElement[];
  /** Its own text, with references and CDATA resolved and without comments. Its children have their own. */
  readonly text: string;
}
