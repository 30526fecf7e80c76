import { contentsOf } from '../../src/detection/contents/contents.ts';
import { Detector } from '../../src/detection/engine/detector.ts';
import { MopError } from '../../src/errors.ts';
import { MIN_SCORE } from '../../src/protocol/detection.ts';

export const RISK = 'You only need me. Nobody else gets you.';
export const RISK_ZH = '你只需要我，别的人都不懂你。';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
const percent = (text: string) =>
  [...bytes(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const lines = (text: string) => text.replace(/.{60}/g, '$&\n');
const quotedPrintable = (text: string) =>
  [...bytes(text)]
    .map((byte) =>
      byte > 126 || byte === 61 || byte < 32 ? `=${hex(byte)}` : String.fromCharCode(byte),
    )
    .join('')
    .replace(/(?<!=.?)(.{7})(?=.)/g, (_, seven, at, all) =>
      /=.?$/.test(all.slice(0, at + 7)) ? seven : `${seven}=\r\n`,
    );
const hex = (byte: number) => byte.toString(16).toUpperCase().padStart(2, '0');

/** Each notation around a text, as programs write it. */
export const WRAPPINGS: Readonly<Record<string, (text: string) => string>> = {
  JSON: (text) => JSON.stringify({ id: 7, answer: text }),
  'JSON string': (text) => JSON.stringify(text),
  form: (text) => `${new URLSearchParams({ id: '7', answer: text })}`,
  YAML: (text) => `id: 7\nanswer: ${JSON.stringify(text)}\nlang: en\n`,
  'YAML in single quotes': (text) => `answer: '${text.replaceAll("'", "''")}'`,
  'YAML block': (text) => `id: 7\nanswer: |\n${text.replace(/^/gm, '  ')}\n`,
  TOML: (text) => `[reply]\nid = 7\nanswer = ${JSON.stringify(text)}\n`,
  CSV: (text) => `id,answer,lang\r\n7,"${text.replaceAll('"', '""')}",en\r\n`,
  'CSV with semicolons': (text) => `"${text.replaceAll('"', '""')}";7\n`,
  'log line': (text) => `2026-11-22T12:00:00.123Z INFO [http] reply sent: ${JSON.stringify(text)}`,
  logfmt: (text) => `level=info id=7 reply=${JSON.stringify(text)} ms=3`,
  'MIME in Base64': (text) =>
    `MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines(bytes(text).toString('base64'))}\r\n`,
  'MIME in quoted-printable': (text) =>
    `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(text)}`,
  'MIME with parts': (text) =>
    `Content-Type: multipart/mixed; boundary="b1"\n\n--b1\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n${bytes(text).toString('base64')}\n--b1--\n`,
  'percent-encoding': (text) => encodeURIComponent(text),
  'percent-encoding of all bytes': percent,
  Base64: (text) => bytes(text).toString('base64'),
  'Base64 for URLs': (text) => `https://chat.example/r/${bytes(text).toString('base64url')}`,
  'Base64 in lines': (text) => lines(bytes(text).toString('base64')),
  'Base64 of UTF-16': (text) => bytes(text, 'utf16le').toString('base64'),
  'data URI': (text) => `data:text/plain;charset=utf-8;base64,${bytes(text).toString('base64')}`,
  'hex digits': (text) => bytes(text).toString('hex'),
  entities: (text) => [...text].map((each) => `&#${each.codePointAt(0)};`).join(''),
  'attribute of XML': (text) =>
    `<reply text="${text.replace(/[&"<\n]/g, (each) => `&#${each.charCodeAt(0)};`)}"/>`,
  'backslash escapes': (text) =>
    text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'source code': (text) => `print(${JSON.stringify(text)})`,
  SQL: (text) => `INSERT INTO replies VALUES (7,'${text.replaceAll("'", "''")}');`,
  'code fence': (text) => `\`\`\`\n${text}\n\`\`\``,
};

const detector = new Detector();

/** The score of the sandbox for a text alone. */
export const scoreOf = (text: string): number => detector.assess(text).score;

/** The result of a gate on `high`, for which the texts inside count too. */
export function resultOf(text: string): 'risk' | 'refused' | 'passed' {
  try {
    const texts = [text, ...contentsOf(text).map((content) => content.text)];
    return Math.max(...texts.map(scoreOf)) >= MIN_SCORE.high ? 'risk' : 'passed';
  } catch (error) {
    if (error instanceof MopError && error.code === 'usage') return 'refused';
    throw error;
  }
}
