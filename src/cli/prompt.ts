import { text } from 'node:stream/consumers';
import { MopError } from '../errors.ts';
import type { Context } from './context.ts';
import { secretFromInput } from './secret.ts';

/**
 * Asks a person for a line.
 *
 * @param hidden Whether what is typed stays off the screen.
 * @returns The line without surrounding white space, `fallback` for an empty one; a hidden line
 *   exactly as it was typed.
 */
export async function ask(
  question: string,
  { io }: Context,
  { hidden = false, fallback = '' }: { hidden?: boolean; fallback?: string } = {},
): Promise<string> {
  const { read } = await import('read');
  const answer = await read({
    prompt: fallback ? `${question} (${fallback}):` : `${question}:`,
    silent: hidden,
    // Standard output is for data.
    output: io.stderr as NodeJS.WriteStream,
    input: io.stdin as NodeJS.ReadStream,
  }).catch((error: Error) => {
    throw new MopError('interrupted', 'interrupted', { cause: error });
  });
  return hidden ? answer : answer.trim() || fallback;
}

/**
 * The api secret from a person, hidden, or from a pipe. It is never an argument, where the process
 * list and the shell's history would show it.
 */
export async function askSecret(context: Context): Promise<string> {
  const { stdin } = context.io;
  const typed = stdin.isTTY
    ? await ask('api secret (hidden)', context, { hidden: true })
    : await text(stdin);
  const secret = secretFromInput(typed, 'what was read');
  context.output.conceal(secret);
  if (secret.trim() !== secret) {
    context.output.warn('the secret has white space around it; it is kept as it is');
  }
  return secret;
}
