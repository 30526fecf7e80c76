import type { FormField } from '../../http/multipart.ts';
import { latin1Text } from '../bytes.ts';
import { type CaptureFormat, type Content, captureFault, shown } from './captured-request.ts';
import { utf8Text } from './decoding.ts';

/** Maximum size of the head of a part, far above any client's. Bounds the reading time. */
const MAX_HEAD = 8192;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export function beginsMultipart(bytes: Uint8Array): boolean {
  return /^--[^\r\n]{1,200}\r?\n[\w-]+:/.test(latin1Text(bytes.subarray(0, 500)));
}

/**
 * Reads a multipart form. `Response` refuses the bare line feeds of a pasted message, and reports
 * no position. Without a declared boundary, the first line is the boundary.
 */
export function readMultipart(bytes: Uint8Array, type: string, format: CaptureFormat): Content {
  // One character per byte: offsets are the same in both.
  const text = latin1Text(bytes);
  const declared = /boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;,"]{1,200}))/i.exec(
    type.slice(0, 1000),
  );
  const written = /^--([^\r\n]{1,200}?)[ \t]*\r?\n/.exec(text)?.[1];
  const boundary = declared?.[1] ?? declared?.[2] ?? written;
  if (/^multipart\/form-data/i.test(type) && !/boundary/i.test(type)) {
    throw captureFault(format, 'undeclared-boundary');
  }
  if (boundary === undefined) {
    throw captureFault(format, 'no-boundary');
  }

  const delimiters = findDelimiters(text, `--${boundary}`);
  if (delimiters.length === 0 || delimiters.at(-1)?.last === false) {
    throw delimiters.length === 0
      ? captureFault(format, 'missing-boundary', [shown(boundary)])
      : captureFault(format, 'cut-form', [delimiters.length, shown(`--${boundary}--`)]);
  }
  const fields = delimiters.slice(0, -1).map(({ end }, index) => {
    const next = delimiters[index + 1]?.start ?? end;
    return readPart(bytes.subarray(end, endOfPart(text, next)), index + 1, format);
  });
  // Lines of a sent form end with CR LF; pasting or an editor changes that to LF.
  const isUncertain =
    !text.includes('\r\n') &&
    fields.some((field) => 'value' in field && field.value.includes('\n'));
  const note =
    'the form was captured with bare line feeds: line ends in its values may have been CR LF';
  return { body: fields, notes: isUncertain ? [note] : [] };
}

interface Delimiter {
  readonly start: number;
  readonly end: number;
  readonly last: boolean;
}

function findDelimiters(text: string, delimiter: string): readonly Delimiter[] {
  const found: Delimiter[] = [];
  const lineRest = /(--)?[ \t]*(?:\r?\n|$)/y;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + 1)) {
    lineRest.lastIndex = at + delimiter.length;
    const match = lineRest.exec(text);
    if (match === null || (at > 0 && text[at - 1] !== '\n')) continue;
    found.push({ start: at, end: lineRest.lastIndex, last: match[1] !== undefined });
    if (match[1] !== undefined) break;
  }
  return found;
}

/** The line end before a delimiter is part of the delimiter. */
function endOfPart(text: string, delimiterStart: number): number {
  if (text.charCodeAt(delimiterStart - 1) !== LINE_FEED) return delimiterStart;
  const end = delimiterStart - 1;
  return text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
}

function readPart(part: Uint8Array, number: number, format: CaptureFormat): FormField {
  const start = latin1Text(part.subarray(0, MAX_HEAD));
  const [head, blank = ''] = /^(.*?)(\r?\n\r?\n|\r?\n$)/s.exec(start)?.slice(1) ?? [];
  if (head === undefined) {
    throw captureFault(format, 'part-without-end', [number]);
  }
  const parameters = dispositionParameters(
    utf8Text(part.subarray(0, head.length), `the head of part ${number}`, format),
  );
  const name = parameters.get('name');
  if (name === undefined) {
    throw captureFault(format, 'part-without-name', [number]);
  }
  const content = part.subarray(head.length + blank.length);
  const file = parameters.get('filename') ?? parameters.get('filename*');
  if (file !== undefined) return { name, file, content };
  return { name, value: utf8Text(content, `the form field ${shown(name)}`, format) };
}

function dispositionParameters(head: string): ReadonlyMap<string, string> {
  const line = /^content-disposition[ \t]*:(.*)$/im.exec(head)?.[1] ?? '';
  const parameters = new Map<string, string>();
  const parameter = /;\s*([\w-]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;
  for (const [, name = '', quoted, token = ''] of line.matchAll(parameter)) {
    // curl escapes with a backslash, browsers with percent signs, and only these characters.
    const value = (quoted ?? token)
      .replace(/\\(["\\])/g, '$1')
      .replace(/%(?:22|0D|0A)/gi, (escaped) => decodeURIComponent(escaped));
    parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}
