import { MopError } from '../../errors.ts';
import { type ShellWords, shellWords } from './shell-words.ts';

const ASSIGNMENT = /^[ \t]*(?:(?:export|local|readonly|declare)[ \t]+)?([A-Za-z_]\w*)=(?!\s)/gm;
/** `$(cat <<'END' … END)`. */
const CAT_HEREDOC = /^\$\(cat[ \t]*<<[ \t]*(['"]?)(\w+)\1[ \t]*\n(.*)\n\2[ \t]*\n?\)$/s;
/** Maximum length of a text after expansion of variables. */
const MAX_LENGTH = 5_000_000;

/** Sets the variables that a part of a script assigns, if their values are literal. */
export function readAssignments(
  text: string,
  from: number,
  to: number,
  variables: Map<string, string>,
): void {
  const part = text.slice(from, to);
  ASSIGNMENT.lastIndex = 0;
  for (let found = ASSIGNMENT.exec(part); found; found = ASSIGNMENT.exec(part)) {
    const [, name = ''] = found;
    variables.delete(name);
    try {
      const assigned = shellWords(part, ASSIGNMENT.lastIndex, 'curl', variables);
      const value = knownValue(assigned);
      if (value !== undefined && value.length <= MAX_LENGTH) variables.set(name, value);
      ASSIGNMENT.lastIndex = assigned.end;
    } catch (error) {
      if (error instanceof MopError) return;
      throw error;
    }
  }
}

/** Undefined if a command computes the value, or if the assignment applies to one command only. */
function knownValue({ words: [value, ...command], expansions }: ShellWords): string | undefined {
  if (value === undefined || command.length > 0) return undefined;
  if (expansions.length === 0) return value;
  const [, quote, , text = ''] = CAT_HEREDOC.exec(value) ?? [];
  const expands = quote === '' && /[$`\\]/.test(text);
  return quote === undefined || expands ? undefined : text;
}
