import { isGate } from '../../../detection/gate.ts';
import { MopError } from '../../../errors.ts';
import { jsonValue } from '../../../json/parse.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Context } from '../../context/context.ts';
import { isFileName } from '../../context/input.ts';
import type { DetectOptions } from './detect-options.ts';
import { fieldHint } from './text-field.ts';

/**
 * Takes the doubt whether an input is the text that was meant. A gate that judged the wrong text
 * would pass a risk, so it throws the doubt, and so does --field. Otherwise the first doubt is a
 * warning.
 */
export function textGuard(options: DetectOptions, { output }: Context) {
  let hasWarned = false;
  return (doubt: MopError | undefined): void => {
    if (!doubt) return;
    if (isGate(options) || options.field !== undefined) throw doubt;
    if (!hasWarned) output.warn(`${doubt.message}: ${doubt.details.hint}`);
    hasWarned = true;
  };
}

/** The doubt about a TEXT that is the name of a file; undefined for any other. */
export async function fileNameDoubt(given: string): Promise<MopError | undefined> {
  if (!(await isFileName(given))) return undefined;
  return new MopError('usage', `the text ${JSON.stringify(given)} is the name of a file`, {
    hint: `write @${given} to check the content of the file; give a text of this name on stdin, with -`,
  });
}

const LINE_HINT = 'check JSON lines with --batch FILE --field NAME instead of --lines';

/** The beginning of an object, alone, in an array, or as the data of an event stream. */
const LIKE_JSON = /^\s*(?:(?:event:.*\n)?data:\s*)?(?:\[\s*)?\{\s*"/;

/**
 * The doubt about a text that is a JSON object or array: the service reads the strings in it as
 * quotations, which do not count. JSON lines, a document that was cut off and an event stream are
 * doubted as well.
 *
 * @param isLine The text is one of --lines.
 */
export function jsonDoubt(text: string, isLine = false): MopError | undefined {
  const json = jsonContainer(text);
  if (!json && !LIKE_JSON.test(text)) return undefined;
  const message = json
    ? 'the text is JSON, not plain text'
    : 'the text begins like JSON, but is not one JSON document';
  const hint = json
    ? fieldHint(json)
    : 'give JSON lines with --batch FILE --field NAME, or the complete document with --field PATH';
  return new MopError('usage', message, { hint: isLine ? LINE_HINT : hint });
}

function jsonContainer(text: string): JsonValue | undefined {
  // Plain text need not be parsed.
  const json = /^\s*[{[]/.test(text) ? jsonValue(text) : undefined;
  return json?.kind === 'object' || json?.kind === 'array' ? json : undefined;
}
