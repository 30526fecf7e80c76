/** Layers around the lines of a text: prefixes, markup, headers of HTTP/2, and wrapped lines. */

const MESSAGE =
  /^(.{0,300}?\W)(?:-{2,3}> [A-Z]{3,10} (?:\/|https?:)\S*.{0,120}|[A-Z]{3,10} (?:\/|https?:)\S* HTTP\/\d(?:\.\d)?|:(?:method|path|authority): \S+)[ \t]*$/;
const BRACE = /^[^{"]{0,300}\{[ \t]*$/;
const MAX_PREFIXES = 4;
const MAX_TRIED = 1000;
const MAX_LINE = 3000;
/** The header of each message of logcat -v long, with the empty line after the previous message. */
const LOGCAT_LONG =
  /(?:\r?\n\r?\n|^)\[ \d\d-\d\d [\d:.]{8,12} +\d+: *\d+ [A-Z]\/[^\]\n]{0,100}\]\r?\n/g;

/** Removes the prefix before a request line from each line, and the messages of other loggers. */
export function withoutMessagePrefixes(text: string): readonly string[] {
  const long = text.replace(LOGCAT_LONG, '\n');
  const shapes = (line: string): string | undefined => {
    const before = MESSAGE.exec(line)?.[1];
    return before === undefined ? undefined : shapeOf(before);
  };
  return long === text ? withoutShapes(text, shapes) : [long];
}

/** Removes the prefix of containers, mail and Markdown from the lines of a printed object. */
export function withoutPrefixes(text: string): readonly string[] {
  return withoutShapes(text, (line, next) =>
    BRACE.test(line) ? commonShape(line, next) : undefined,
  );
}

/**
 * Removes the prefixes of these shapes, whose digits may differ. Lines without the prefix are kept,
 * or removed as lines of another logger.
 */
function withoutShapes(
  text: string,
  shapeIn: (line: string, next: string) => string | undefined,
): readonly string[] {
  const lines = text.split(/\r?\n/);
  const shapes = new Set<string>();
  let tried = 0;
  for (const [index, line] of lines.entries()) {
    if (shapes.size === MAX_PREFIXES || tried === MAX_TRIED) break;
    const shape = line.length > MAX_LINE ? undefined : shapeIn(line, lines[index + 1] ?? '');
    if (shape !== undefined) tried++;
    if (shape) shapes.add(shape);
  }
  return [...shapes].flatMap((shape) => {
    const prefix = new RegExp(`^${shape}`);
    const bare = lines.map((line) => prefix.exec(line)?.[0].length);
    const kept = lines.map((line, index) => line.slice(bare[index]));
    return [kept.join('\n'), kept.filter((_, index) => bare[index] !== undefined).join('\n')];
  });
}

/** A pattern for a prefix with any digits. Copying removes the white space at the end of a line. */
function shapeOf(prefix: string): string {
  const text = prefix.trimEnd();
  return tokensOf(text).join('') + (text === '' ? '' : `[ \\t]{0,${prefix.length - text.length}}`);
}

function tokensOf(text: string): readonly string[] {
  return (text.match(/\d+|\s+|[^\d\s]/g) ?? []).map((token) => {
    if (/\d/.test(token)) return '\\d+';
    return /\s/.test(token) ? '\\s+' : token.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
  });
}

function commonShape(line: string, next: string): string {
  const ours = tokensOf(line.slice(0, 300));
  const theirs = tokensOf(next.slice(0, 300));
  const end = ours.findIndex((token, index) => token !== theirs[index]);
  const common = ours.slice(0, Math.max(end, 0));
  const shape = common.slice(0, Math.max(common.lastIndexOf('\\s+'), 0));
  return shape.every((token) => token === '\\s+') ? '' : `${shape.join('')}[ \\t]?`;
}

/** Removes the marks of a search engine around the words that it found. */
export function withoutHighlights(text: string): readonly string[] {
  const result = text.replace(
    /<\/?(?:em|mark)(?: class="[\w -]{1,40}")?>|<wbr ?\/?>|@\/?kibana-highlighted-field@/g,
    '',
  );
  return result === text ? [] : [result];
}

/** Replaces the no-break spaces with which wikis indent. */
export function withoutNoBreakSpaces(text: string): readonly string[] {
  return text.includes('\u00a0') ? [text.replaceAll('\u00a0', ' ')] : [];
}

/** Joins the lines of an object that a terminal or a mail program wrapped. */
export function withoutWraps(text: string): readonly string[] {
  return /\{[^{}]{0,5000}\n/.test(text) ? [text.replace(/\r?\n/g, '')] : [];
}

const PSEUDO = /^:(authority|method|path|scheme)(?::(.*))?$/;
const NAME = /^([!#$%&'*+.^`|~\w-]+):(?:[ \t](.*))?$/;
const BARE_NAME = /^[a-z][\w-]*:?$/i;
const BODY = /^\s*(?:[{["]|--)/;
/** Titles of the panels of developer tools, copied with their content. */
const TITLE =
  /^(?:Request Headers|Request Payload|Payload|General|Form Data|view (?:source|parsed|decoded|URL-encoded)|Provisional headers are shown|Raw)\b.{0,40}$/i;

/** Rewrites the headers of an HTTP/2 request, of which each is in one line or in two. */
export function withoutPseudoHeaders(text: string): readonly string[] {
  if (!/^[ \t]{0,8}:(?:authority|method|path|scheme)(?::|[ \t]*\r?$)/m.test(text)) return [];
  const lines = text.split(/\r?\n/);
  const request: Record<string, string> = {};
  const headers: string[] = [];
  let at = lines.findIndex((line) => PSEUDO.test(line.trim()));
  // If one pseudo-header has its value in the next line, all of them do.
  const isAlternating = !PSEUDO.exec((lines[at] ?? '').trim())?.[2]?.trim();
  for (; at < lines.length && !BODY.test(lines[at] ?? ''); at++) {
    const line = (lines[at] ?? '').trim();
    const pseudo = PSEUDO.exec(line);
    const named = pseudo ?? (isAlternating ? BARE_NAME : NAME).exec(line);
    if (!named || TITLE.test(line)) continue;
    const name = pseudo?.[1] ?? (isAlternating ? line.replace(/:$/, '') : (named[1] ?? ''));
    const value = (isAlternating ? lines[++at] : named[2])?.trim() ?? '';
    if (pseudo) request[name] = value;
    else headers.push(`${name}: ${value}`);
  }
  const { method = 'POST', scheme = 'https', authority, path = '/' } = request;
  const url = authority === undefined ? path : `${scheme}://${authority}${path}`;
  const body = lines.slice(at).join('\n').trim();
  return [[`${method} ${url} HTTP/2`, ...headers, '', body].join('\n')];
}
