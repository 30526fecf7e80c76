import { execFileSync } from 'node:child_process';
import type { ProgramLanguage } from '../../../src/cli/commands/sign/program-languages.ts';

/** How the programs of a language run. A shell runs the commands in the directory of the program. */
export interface Runtime {
  /** Executables that must be installed. */
  readonly tools: readonly string[];
  /** Runs the unchanged program. */
  readonly run: string;
  /** The file of `harness/` that is copied into the directory of the program. */
  readonly harnessFile: string;
  /**
   * Runs the harness with the mode as its argument. The harness signs each case of standard input
   * with the signing function of the program, and prints a line for each case.
   */
  readonly harness: string;
}

/**
 * A command that compiles and runs a harness. A program has only the functions of its mode: lines of
 * the harness that end with the other mode are removed first.
 */
function forMode(harness: string, source: string, compile: string, run: string): string {
  const other = '$([ "$0" = body ] && echo header || echo body)';
  return `sh -c 'grep -v "// ${other}$" ${harness} > ${source} && ${compile} && ${run}'`;
}

/** C# is missing: .NET is not available for the tests. */
export const RUNTIMES: { readonly [language in ProgramLanguage]?: Runtime } = {
  python: {
    tools: ['python3'],
    run: 'python3 sign.py',
    harnessFile: 'harness.py',
    harness: 'python3 harness.py',
  },
  go: {
    tools: ['go'],
    run: 'go run main.go',
    harnessFile: 'harness.go',
    harness: forMode(
      'harness.go',
      'main_test.go',
      'go test -c -o harness main.go main_test.go',
      './harness',
    ),
  },
  java: {
    tools: ['java', 'javac'],
    run: 'java Sign.java',
    harnessFile: 'Harness.java',
    harness: forMode('Harness.java', 'Main.java', 'javac Sign.java Main.java', 'java Harness'),
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
  bash: {
    tools: ['bash', 'openssl', 'curl'],
    run: 'bash sign.sh',
    harnessFile: 'harness.sh',
    harness: 'bash harness.sh',
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
