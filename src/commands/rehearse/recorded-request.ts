/** A request as a caller sent it. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values alternating, like Node's `rawHeaders`. */
  readonly headers: readonly string[];
  /** Longer ones are cut one byte beyond the service's limit, so that the service refuses them for their length. */
  readonly body: Uint8Array;
  /** IP address of the sender, if it is known. */
  readonly address?: string | undefined;
  /** When it was sent, in milliseconds since the epoch; undefined: now. */
  readonly on?: number | undefined;
}

/** What the old service answered. */
export interface OldAnswer {
  readonly status: number;
  /** Milliseconds from the end of the request to the first byte of the answer; undefined if nobody measured them. */
  readonly milliseconds: number | undefined;
}

/** The value of a header, undefined if it is absent; of several, the first. `name` is in lower case. */
export function headerOf({ headers }: RecordedRequest, name: string): string | undefined {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  return index === -1 ? undefined : headers[index + 1];
}
