import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mop } from './cli.ts';
import { shellWords } from './shell-words.ts';

/** A `mop` command with no syntax of the shell except quotes, `< FILE` and a comment. */
const PLAIN =
  /^(mop(?: +(?:[^\s'"\\$`|&;<>(){}*?#~!]|'[^']*'|"[^"\\$`]*")+)+)(?: +< (\S+))?(?: +#.*)?$/;

/** Whether each line is a plain `mop` command, which needs no shell. */
export function isPlain(script: string): boolean {
  return linesOf(script).every((line) => PLAIN.test(line));
}

/** Runs plain `mop` commands in this process. Returns the code of each, and all that they print. */
export async function runPlain(
  script: string,
  directory: string,
  env: Record<string, string>,
  now?: () => number,
): Promise<{ codes: number[]; output: string }> {
  const before = process.cwd();
  process.chdir(directory);
  try {
    const codes: number[] = [];
    let output = '';
    const onWrite = (text: string): void => {
      output += text;
    };
    for (const line of linesOf(script)) {
      const [, command = '', file] = PLAIN.exec(line) ?? [];
      const stdin = file === undefined ? '' : await readFile(join(directory, file));
      const sleep = (ms: number): Promise<void> => delay(ms);
      const world = { env, stdin, sleep, onStdout: onWrite, onStderr: onWrite };
      const argv = shellWords(command).slice(1);
      codes.push((await mop(argv, now ? { ...world, now } : world)).code);
    }
    return { codes, output };
  } finally {
    process.chdir(before);
  }
}

function linesOf(script: string): string[] {
  return script.split('\n').filter((line) => line.trim() !== '');
}
