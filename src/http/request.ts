/** A body that is read while it is sent. */
export interface HttpBody {
  /** In bytes. */
  readonly length: number;
  /** Each call reads the content from the start. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** The case of names is preserved. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | HttpBody | undefined;
  /** Whether the response is a stream of events, without a limit for pauses. */
  readonly isStream?: boolean | undefined;
  /** Whether to return the response body without decoding its Content-Encoding. */
  readonly skipDecoding?: boolean | undefined;
  /** Aborts this exchange, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Values to redact from traces of the exchange. */
  readonly secrets?: readonly string[] | undefined;
}

/** A request whose body, if any, is a text. */
export interface TextRequest extends HttpRequest {
  readonly body?: string | undefined;
}
