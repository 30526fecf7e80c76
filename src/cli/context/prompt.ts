import { MopError } from '../../errors.ts';
import { counted } from '../../files/counts.ts';
import type { Context } from './context.ts';
import { argumentText } from './input.ts';
import { secretFromInput } from './secret.ts';
import { terminalText } from './terminal.ts';

/** Prompts for a line. */
export async function ask(
  question: string,
  { io, output }: Context,
  { hidden = false, fallback = '' }: { hidden?: boolean; fallback?: string } = {},
): Promise<string> {
  const { read } = await import('read');
  const note = fallback && ` (${fallback})`;
  const typed = read({
    prompt: terminalText(output.translated(question + note) + output.word(':')),
    silent: hidden,
    // Hides the input even if standard error is a file.
    terminal: hidden,
    // Standard output is for data.
    output: io.stderr.stream as NodeJS.WriteStream,
    input: io.stdin as NodeJS.ReadStream,
  });
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    // When the input ends (Ctrl-D) `read` pauses it and never settles.
    io.stdin.once('pause', () => setImmediate(reject, new Error('the input ended')));
    stop = () => {
      io.stdin.destroy();
      reject(io.signal.reason);
    };
    io.signal.addEventListener('abort', stop);
  });
  const answer = await Promise.race([typed, ended])
    .catch((error: Error) => {
      io.stderr.write('\n');
      if (error instanceof MopError) throw error;
      throw new MopError('interrupted', 'interrupted', {
        hint: 'nothing was changed',
        cause: error,
      });
    })
    .finally(() => io.signal.removeEventListener('abort', stop));
  if (!hidden) return answer.trim() || fallback;
  // The typed line end was hidden too.
  io.stderr.write('\n');
  if (answer !== '') output.note(`received ${counted([...answer].length, 'character')}`);
  return answer;
}

/** Asks a yes/no question. Every answer except yes is a no. */
export async function confirm(question: string, context: Context): Promise<boolean> {
  return /^y(?:es)?$/i.test(await ask(`${question} [y/N]`, context));
}

/**
 * Reads the api secret from a hidden prompt or from a pipe. It is never an argument: the process
 * list and the history of the shell would show it.
 */
export async function askSecret(context: Context): Promise<string> {
  const { stdin } = context.io;
  const typed = stdin.isTTY
    ? await ask('api secret (hidden)', context, { hidden: true })
    : await argumentText('-', context.io);
  const secret = secretFromInput(
    typed,
    stdin.isTTY ? 'the prompt' : 'standard input',
    'pipe the secret: mop config set api_secret < FILE; or run mop config set api_secret in a terminal, and type it',
  );
  context.output.conceal(secret);
  if (secret.trim() !== secret) {
    context.output.warn('the secret begins or ends with white space, which is not removed');
  }
  return secret;
}
