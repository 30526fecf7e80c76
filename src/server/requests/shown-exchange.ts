import { MopError } from '../../errors.ts';
import { isSignedHeaderName } from '../../protocol/operations.ts';
import { contentAsSent, type ReceivedRequest } from '../../signing/received-request.ts';
import type { Layers } from '../../signing/verification/layers.ts';
import type { NumberedExchange } from './history.ts';
import type { ExchangeRow, ShownExchange } from './page-data.ts';
import { withoutCredentials } from './without-credentials.ts';

export interface RequestExaminer {
  /**
   * The layers of a signed request; undefined when the diagnosis thread does not answer. `time` is
   * in milliseconds since 1970.
   */
  readonly layers: (
    request: ReceivedRequest,
    time: number,
    ended: AbortSignal,
  ) => Promise<Layers | undefined>;
  /** Replaces the secrets of the server in a text. */
  readonly hide: (text: string) => string;
}

interface ExaminedExchange extends Omit<NumberedExchange, 'error'> {
  readonly error: string | null;
  readonly layers: Layers | null;
  readonly missingLayers: string | null;
}

const MAX_PATH = 300;

export function exchangeRow(
  exchange: NumberedExchange,
  hide: RequestExaminer['hide'],
): ExchangeRow {
  const { id, time, method, status, code, milliseconds, signature, readings } = exchange;
  const path = hide(exchange.path).slice(0, MAX_PATH);
  const mistakes = [...new Set((exchange.diagnosis ?? []).map((each) => each.id))];
  const hasWarnings = (exchange.warnings ?? []).length > 0;
  return {
    ...{ id, time, method, path, status, code, milliseconds },
    ...{ signature, readings, mistakes, hasWarnings },
  };
}

/** Examines an exchange. The result contains no credentials. */
export async function shownExchange(
  exchange: NumberedExchange,
  { layers, hide }: RequestExaminer,
  ended: AbortSignal,
): Promise<ShownExchange> {
  const { error, request } = exchange;
  const shown: ExaminedExchange = {
    ...exchange,
    request: request && withoutContent(request),
    error: error === undefined ? null : errorText(error),
    ...(await examined(exchange, layers, ended)),
  };
  const clean = withoutCredentials(shown, hide);
  return { ...clean, isExact: signedParts(clean.request) === signedParts(shown.request) };
}

/** The parts of a request that its signature may cover, as a text to compare. */
function signedParts(request: ReceivedRequest | undefined): string {
  const { url, headers = [], body } = request ?? {};
  return JSON.stringify([url, headers.filter(([name]) => isSignedHeaderName(name)), body]);
}

async function examined(
  { request, time }: NumberedExchange,
  layers: RequestExaminer['layers'],
  ended: AbortSignal,
): Promise<Pick<ExaminedExchange, 'layers' | 'missingLayers'>> {
  if (request === undefined) return missing('The request was not kept.');
  try {
    // Throws for an unsigned request here: in the diagnosis thread, the error would end the thread.
    contentAsSent(request);
    const found = await layers(request, time, ended);
    return found
      ? { layers: found, missingLayers: null }
      : missing('The examination took more than 8 seconds. Open the request again.');
  } catch (error) {
    return missing(errorText(error));
  }
}

function missing(missingLayers: string): Pick<ExaminedExchange, 'layers' | 'missingLayers'> {
  return { layers: null, missingLayers };
}

function errorText(error: unknown): string {
  if (!(error instanceof MopError)) return String(error);
  const { hint } = error.details;
  return hint === undefined ? error.message : `${error.message} (${hint})`;
}

function withoutContent(request: ReceivedRequest): ReceivedRequest {
  if (typeof request.body === 'string') return request;
  const body = request.body.map((field) =>
    'file' in field ? { name: field.name, file: field.file } : field,
  );
  return { ...request, body };
}
