import { execFileSync } from 'node:child_process';
import type { ProgramLanguage } from '../../../src/cli/commands/sign/program-languages.ts';

/** How the programs of a language run. Commands are for a shell in the directory of the program. */
export interface Runtime {
  /** Executables that must be installed. */
  readonly tools: readonly string[];
  /** Runs the program as it is printed. */
  readonly run: string;
  /** The file of `harness/` that is put beside the program. */
  readonly harnessFile: string;
  /**
   * Runs the harness: with the mode as its argument, it signs each case on standard input by the
   * signing function of the program, and prints a line for each.
   */
  readonly harness: string;
}

/** C# is missing: no .NET is available for the tests. */
export const RUNTIMES: { readonly [language in ProgramLanguage]?: Runtime } = {
  python: {
    tools: ['python3'],
    run: 'python3 sign.py',
    harnessFile: 'harness.py',
    harness: 'python3 harness.py',
  },
  php: {
    tools: ['php'],
    run: 'php sign.php',
    harnessFile: 'harness.php',
    harness: 'php harness.php',
  },
  node: {
    tools: ['node'],
    run: 'node sign.mjs',
    harnessFile: 'harness.mjs',
    harness: 'node harness.mjs',
  },
  ruby: {
    tools: ['ruby'],
    run: 'ruby sign.rb',
    harnessFile: 'harness.rb',
    harness: 'ruby harness.rb',
  },
};

/** The executables of a runtime that are not installed. */
export function missingTools({ tools }: Runtime): readonly string[] {
  return tools.filter((tool) => {
    try {
      execFileSync('sh', ['-c', `command -v ${tool}`]);
      return false;
    } catch {
      return true;
    }
  });
}
