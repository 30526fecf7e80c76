import type { Content } from '../../../detection/contents/contents.ts';
import { nonProseFormat } from '../../../detection/contents/text-format.ts';
import { isGate } from '../../../detection/gate.ts';
import { textsToJudge } from '../../../detection/inspect.ts';
import { MopError, quoted } from '../../../errors.ts';
import { jsonValue } from '../../../json/parse.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Context } from '../../context/context.ts';
import { isFileName } from '../../context/input.ts';
import type { DetectOptions } from './detect-options.ts';
import { FIELD_HINT } from './text-field.ts';

/** Whether each text passes or fails. A report counts failures as a gate does. */
export function isChecked(options: DetectOptions): boolean {
  return isGate(options) || options.junit !== undefined || options.sarif !== undefined;
}

/**
 * Handles doubts about the input. A gate that checks the wrong text would miss a risk, so a doubt
 * fails. Without a gate, the first doubt is a warning.
 */
export function textGuard(options: DetectOptions, { output }: Context) {
  let hasWarned = false;
  const handle = (doubt: MopError | undefined): void => {
    if (!doubt) return;
    if (isChecked(options)) throw doubt;
    if (!hasWarned)
      output.warn(`${doubt.message}, and is checked unchanged: ${doubt.details.hint}`);
    hasWarned = true;
  };
  return {
    name: handle,
    text: (text: string, origin: Origin): void => {
      if (!options.asIs) handle(formatDoubt(text, origin));
    },
  };
}

/** The texts to judge: with a gate or a report, also those inside the text. */
export function textsOf(text: string, options: DetectOptions): readonly Content[] {
  return isChecked(options) && !options.asIs ? textsToJudge(text) : [{ text, layers: [] }];
}

/** The doubt about a TEXT that is the name of a file; undefined for any other. */
export async function fileNameDoubt(given: string): Promise<MopError | undefined> {
  if (!(await isFileName(given))) return undefined;
  return new MopError('usage', `the text ${JSON.stringify(given)} is the name of a file`, {
    hint: quoted`write @${given} to check the content of the file; to check the name itself, pass it on stdin with -`,
  });
}

/** The origin of a text: the whole input, a line of --lines, or a field of JSON. */
type Origin = 'whole' | 'line' | 'field';

const ORIGIN_HINTS: Readonly<Record<Exclude<Origin, 'whole'>, string>> = {
  line: 'instead of --lines, check JSON lines with --batch FILE --field NAME, one document with --field PATH',
  field:
    'the field contains more than the text: extract the text first, for example with jq fromjson',
};

/**
 * The doubt about a text that is data instead of prose, such as JSON: the service reads the strings
 * in it as quotations, which do not count.
 */
function formatDoubt(text: string, origin: Origin): MopError | undefined {
  const json = jsonDocument(text);
  const format = json
    ? { message: 'the text is JSON, not plain text', hint: FIELD_HINT }
    : nonProseFormat(text);
  if (!format) return undefined;
  const hint = origin === 'whole' ? format.hint : ORIGIN_HINTS[origin];
  return new MopError('usage', format.message, { hint });
}

/** Numbers and literals contain no text to select, and may be the whole reply. */
function jsonDocument(text: string): JsonValue | undefined {
  // Do not parse plain text.
  return /^\s*[{["]/.test(text) ? jsonValue(text) : undefined;
}
