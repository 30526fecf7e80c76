import type { MopError } from '../../errors.ts';
import { captureError, shown } from './capture-error.ts';
import type { CapturedRequest } from './captured-request.ts';
import { readContent } from './content.ts';
import { isLiteralObject, type Literal, LiteralReader, namedTexts } from './js-literal.ts';
import {
  type CaptureEntry,
  type CaptureReader,
  MAX_UNREADABLE,
  mentionsSignature,
  readsOrFailure,
} from './source.ts';

const CALL = /(?<![\w$])fetch\(/g;

/** Reads `fetch(…)` calls, copied from browsers or from source code. */
export const FETCH_CALL: CaptureReader = {
  format: 'fetch',
  isFormat: ({ head }) => !/^[{[<]/.test(head) && head.search(CALL) !== -1,
  read: (capture) => {
    const text = capture.textAs('fetch');
    const entries: CaptureEntry[] = [];
    let failures = 0;
    CALL.lastIndex = 0;
    for (let call = CALL.exec(text); call && failures < MAX_UNREADABLE; call = CALL.exec(text)) {
      const start = CALL.lastIndex;
      const reader = new LiteralReader(text, start);
      const { reads, failed } = readsOrFailure(() => {
        const url = reader.value();
        const options = reader.skip(',') && !reader.skip(')') ? reader.value() : {};
        return [() => requestOf(url, options)];
      });
      if (failed) failures++;
      const looksSigned = mentionsSignature(text.slice(start, reader.at));
      // As arguments of push, many requests would overflow the stack.
      for (const read of reads) entries.push({ looksSigned, read });
      CALL.lastIndex = reader.at;
    }
    return entries;
  },
};

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

function cannotRead(subject: string, value: Literal): MopError {
  return captureError(
    'fetch',
    `its ${subject} is ${shown(JSON.stringify(value) ?? '')}, which fetch does not send unchanged`,
    'replace it with the text that was sent; JSON.stringify({…}) of a literal is supported',
  );
}
