import type { Style } from './style.ts';

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false)\b|\bnull\b/g;

/** JSON with coloured names, strings and literals, and otherwise unchanged. */
export function colourJson(json: string, { blue, green, yellow, dim }: Style): string {
  const name = blue.bold;
  return json.replace(TOKENS, (token, string?: string, colon?: string) => {
    if (string === undefined) return token === 'null' ? dim(token) : yellow(token);
    return colon === undefined ? green(string) : name(string) + colon;
  });
}
