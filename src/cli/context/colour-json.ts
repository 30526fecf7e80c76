import type { ChalkInstance } from 'chalk';

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false)\b|\bnull\b/g;

/** JSON with coloured names, strings and literals, and otherwise unchanged. */
export function colourJson(json: string, { blue, green, yellow, dim }: ChalkInstance): string {
  return json.replace(TOKENS, (token, string?: string, colon?: string) => {
    if (string === undefined) return token === 'null' ? dim(token) : yellow(token);
    return colon === undefined ? green(string) : blue.bold(string) + colon;
  });
}
