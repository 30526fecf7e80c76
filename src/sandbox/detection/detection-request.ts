import type { IncomingMessage } from 'node:http';
import { MopError } from '../../errors.ts';
import { parseJson } from '../../json/parse.ts';
import { JsonSyntaxError } from '../../json/reader.ts';
import { describe, type JsonValue } from '../../json/value.ts';
import { MAX_TEXT_LENGTH } from '../../protocol/detection.ts';
import { readBodyText } from '../../server/request-body.ts';

/** The reasons for refusals. D2 does not define errors. */
export const API_ERROR_CODES = [
  'bad_json',
  'bad_body',
  'missing_text',
  'bad_text',
  'empty_text',
  'text_too_long',
  'cross_site',
  'method_not_allowed',
] as const;

/** The error of a refusal: `{"error":{"code","message"}}`. */
export interface ApiError {
  readonly code: (typeof API_ERROR_CODES)[number];
  readonly message: string;
}

/** JSON may escape each code unit of the text with six characters. */
const MAX_BODY_MIB = 2;

/** The text to check (D2 2.1), or the refusal of an invalid request. */
export async function readRequest(
  incoming: IncomingMessage,
): Promise<{ readonly text: string } | { readonly error: ApiError }> {
  let json: JsonValue;
  try {
    json = parseJson(await readBodyText(incoming, MAX_BODY_MIB));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return refusal('bad_json', `not JSON: ${error.message}`);
    if (!(error instanceof MopError)) throw error;
    const isTooLong = error.details.httpStatus === 413;
    return refusal(isTooLong ? 'text_too_long' : 'bad_json', error.message);
  }
  if (json.kind !== 'object') {
    return refusal('bad_body', `the body is not a JSON object but ${describe(json)}`);
  }
  const [text, second] = json.members.filter(({ name }) => name === 'text');
  if (!text) return refusal('missing_text', 'text is missing: send {"text": "…"}');
  // JSON parsers disagree whether the first or the last one counts.
  if (second) return refusal('bad_body', 'text occurs several times');
  if (text.value.kind !== 'string') {
    return refusal('bad_text', `text is not a string but ${describe(text.value)}`);
  }
  const { value } = text.value;
  if (value.trim() === '') return refusal('empty_text', 'text is empty');
  // Compare code units first: counting code points is slower.
  if (value.length > MAX_TEXT_LENGTH && [...value].length > MAX_TEXT_LENGTH) {
    return refusal('text_too_long', `text has more than ${MAX_TEXT_LENGTH} characters`);
  }
  return { text: value };
}

function refusal(code: ApiError['code'], message: string): { readonly error: ApiError } {
  return { error: { code, message } };
}
