import { append } from '../../any-length.ts';
import { editJson } from '../../json/edit.ts';
import { printJson } from '../../json/print.ts';
import type { Answer } from '../../platform/answer.ts';
import { secretsIn } from '../../redaction/credentials.ts';
import { REDACTED, redactLink } from '../../redaction/redact.ts';
import type { Context } from '../context/context.ts';

/** The JSON to print for an answer: its data, or with `--envelope` all of it, without secrets. */
export function shownAnswer(
  { json, data = { kind: 'null' } }: Pick<Answer, 'json' | 'data'>,
  { envelope }: { readonly envelope?: boolean },
  context: Context,
): string {
  return withoutSecrets(printJson(envelope ? json : data), context);
}

/**
 * Compact JSON of the platform without secrets. Only `mop bill info --reveal` prints a bill's link
 * and authorization. Without a link, a field named `authorization` is data.
 */
export function withoutSecrets(json: string, { output }: Context): string {
  // The secrets of a link may occur elsewhere in the answer.
  const secrets: string[] = [];
  const edit = (name: string, shown: (value: string) => string) => (value: string) => {
    if (!value.startsWith('"')) return name === 'authorization' ? JSON.stringify(REDACTED) : value;
    const text = JSON.parse(value) as string;
    append(secrets, secretsIn(name, text));
    return JSON.stringify(shown(text));
  };
  const members = new Map([
    ['authorization', edit('authorization', () => REDACTED)],
    ['download_url', edit('download_url', redactLink)],
  ]);
  const shown = json.includes('"download_url":') ? editJson(json, { members }) : json;
  return editJson(shown, { text: output.dataCleaner(secrets) });
}
