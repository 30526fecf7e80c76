import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program, found as a shell finds it, without a process. */
export function pathOf(program: string): string | undefined {
  const directories = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return directories.map((directory) => join(directory, program)).find(isExecutable);
}

/** Whether a program is installed. */
export function installed(program: string): boolean {
  return pathOf(program) !== undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
