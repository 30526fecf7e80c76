import { MopError } from '../../errors.ts';
import { captureError, shown } from './capture-error.ts';
import { type CaptureEntry, type CaptureReader, mentionsSignature } from './capture-reader.ts';
import type { CapturedRequest } from './captured-request.ts';
import { readContent } from './content.ts';
import { isLiteralObject, type Literal, LiteralReader, namedTexts } from './js-literal.ts';

const CALL = /(?<![\w$])fetch\(/g;

/** Reads `fetch(…)` calls, as browsers copy them and as programs hold them. */
export const FETCH_CALL: CaptureReader = {
  format: 'fetch',
  isFormat: ({ head }) => !/^[{[<]/.test(head) && head.search(CALL) !== -1,
  read: (capture) => {
    const text = capture.textAs('fetch');
    const entries: CaptureEntry[] = [];
    CALL.lastIndex = 0;
    for (let call = CALL.exec(text); call; call = CALL.exec(text)) {
      const start = CALL.lastIndex;
      const { end, read } = readCall(text, start);
      entries.push({ looksSigned: mentionsSignature(text.slice(start, end)), read });
      CALL.lastIndex = Math.max(end, start);
    }
    return entries;
  },
};

function readCall(text: string, start: number): { end: number; read: CaptureEntry['read'] } {
  const reader = new LiteralReader(text, start, 'fetch');
  try {
    const url = reader.value();
    const options = reader.skip(',') && !reader.skip(')') ? reader.value() : {};
    return { end: reader.at, read: () => requestOf(url, options) };
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    return { end: reader.at, read: () => Promise.reject(error) };
  }
}

function requestOf(url: Literal, options: Literal): CapturedRequest {
  const { method, headers = {}, body } = isLiteralObject(options) ? options : {};
  const named = namedTexts(headers);
  if (named === undefined) throw cannotRead('headers', headers);
  if (body !== undefined && body !== null && typeof body !== 'string') {
    throw cannotRead('body', body);
  }
  return {
    format: 'fetch',
    method: typeof method === 'string' ? method.toUpperCase() : 'GET',
    url: typeof url === 'string' ? url : undefined,
    headers: named,
    ...readContent(new TextEncoder().encode(body ?? ''), named, 'fetch'),
  };
}

function cannotRead(what: string, value: Literal): MopError {
  return captureError(
    'fetch',
    `its ${what} is ${shown(JSON.stringify(value) ?? '')}, which fetch does not send as it stands`,
    'put the text that was sent in its place; JSON.stringify({…}) of a literal is read',
  );
}
