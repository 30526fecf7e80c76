/** A body that is read while it is sent. */
export interface HttpBody {
  /** In bytes. */
  readonly length: number;
  /** The content, from the start each time. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Names are sent in the case given here. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | HttpBody | undefined;
  /** The response is a stream of events and may pause for any time. */
  readonly isStream?: boolean | undefined;
  /** The address came from an answer, not from the configuration. */
  readonly isLink?: boolean | undefined;
  /** The body of the response keeps its Content-Encoding. */
  readonly keepsCoding?: boolean | undefined;
  /** Aborts this exchange, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Values that no trace may show, wherever they appear in the exchange. */
  readonly secrets?: readonly string[] | undefined;
}

/** A request whose body, if any, is a text. */
export interface TextRequest extends HttpRequest {
  readonly body?: string | undefined;
}
