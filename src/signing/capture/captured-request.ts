import type { MopError } from '../../errors.ts';
import type { Header, RequestBody } from '../header-mode.ts';

export interface Content {
  readonly body: RequestBody;
  /** Losses and possible changes caused by the format, one sentence each. */
  readonly notes: readonly string[];
}

/** A captured request, as far as its format preserves it. */
export interface CapturedRequest extends Content {
  readonly format: CaptureFormat;
  /** Undefined when the format does not contain them. */
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** All headers, in their order, with names in the capture's spelling. */
  readonly headers: readonly Header[];
  /** The time of sending in Unix seconds, if the capture has it with its time zone. */
  readonly sentAt?: number | undefined;
  /** The error for a guessed body: it holds unless the signature proves to belong to the body. */
  readonly doubt?: MopError | undefined;
  /** Other readings of the text, in which the same signature belongs to other content. */
  readonly otherReadings?: () => Promise<readonly CapturedRequest[]>;
}

export const FORMAT_NAMES = {
  json: 'a JSON body',
  curl: 'a curl command',
  wget: 'a wget command',
  httpie: 'an HTTPie command',
  powershell: 'a PowerShell command',
  fetch: 'a call of fetch',
  har: 'a HAR file',
  'http-file': 'an .http file',
  http: 'an HTTP message',
  log: 'a log',
} as const;

export type CaptureFormat = keyof typeof FORMAT_NAMES;
