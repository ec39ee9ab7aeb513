/** What whoever runs the service should hear of, though the database could be opened. */
export type OpenNotice =
  /** The schema was brought up to date; named by its last step, before (undefined: there was none) and after. */
  | { readonly kind: 'upgraded'; readonly from: string | undefined; readonly to: string }
  /** The pool may grow beyond what the database lets in; calls would be refused then. */
  | { readonly kind: 'few-connections'; readonly allowed: number; readonly wanted: number };
