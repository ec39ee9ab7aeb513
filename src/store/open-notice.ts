/** What the operator should know about, although the database could be opened. */
export type OpenNotice =
  /** The schema was brought up to date; identified by its last step, before (undefined: there was none) and after. */
  | { readonly kind: 'upgraded'; readonly from: string | undefined; readonly to: string }
  /** The pool may grow beyond the number of connections that the database accepts; calls would then be refused. */
  | { readonly kind: 'few-connections'; readonly allowed: number; readonly wanted: number };
