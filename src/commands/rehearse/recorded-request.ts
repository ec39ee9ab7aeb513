/** A request as a caller sent it. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values alternate, as in Node's `rawHeaders`. */
  readonly headers: readonly string[];
  /** Longer ones are truncated one byte beyond the service's limit, so that the service refuses them for their length. */
  readonly body: Uint8Array;
  /** IP address of the sender, if it is known. */
  readonly address?: string | undefined;
  /** When it was sent, in milliseconds since the epoch; undefined means now. */
  readonly on?: number | undefined;
}

export interface OldAnswer {
  readonly status: number;
  /** Milliseconds from the end of the request to the first byte of the answer; undefined if they were not measured. */
  readonly milliseconds: number | undefined;
}

/** The value of a header; undefined if it is absent. If there are several, the first. `name` is in lower case. */
export function headerOf({ headers }: RecordedRequest, name: string): string | undefined {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  return index === -1 ? undefined : headers[index + 1];
}
