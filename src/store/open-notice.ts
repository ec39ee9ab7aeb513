/** Something that the operator should know, although the database could be opened. */
export type OpenNotice =
  /** The schema was brought up to date; `from` (undefined if there was none) and `to` name its last step before and after. */
  | { readonly kind: 'upgraded'; readonly from: string | undefined; readonly to: string }
  /** The pool may grow beyond the number of connections that the database accepts, and calls would then be refused. */
  | { readonly kind: 'few-connections'; readonly allowed: number; readonly wanted: number };
