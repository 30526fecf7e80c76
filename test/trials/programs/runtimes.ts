import { execFileSync } from 'node:child_process';
import type { ProgramLanguage } from '../../../src/signing/programs/languages.ts';
import { installed } from '../../support/programs.ts';

/** How the programs of a language run. A shell runs the commands in the directory of the program. */
export interface Runtime {
  /** Executables that must be installed. */
  readonly tools: readonly string[];
  /** Runs the unchanged program from its source. */
  readonly run: string;
  /** Compiles the program and its harness once, for `built` and `harness`; the mode is its argument. */
  readonly build?: string;
  /** Runs the unchanged program after `build`. Default: `run`. */
  readonly built?: string;
  /** The file of `harness/` that is copied into the directory of the program. */
  readonly harnessFile: string;
  /**
   * Runs the harness with the mode as its argument. The harness signs each case of standard input
   * with the signing function of the program, and prints a line for each case.
   */
  readonly harness: string;
  /** The program starts a dozen processes for each case, so a short run has a tenth of the vectors. */
  readonly isSlow?: boolean;
}

/**
 * A command that copies a harness for the mode in its argument, and compiles it. A program has only
 * the functions of its mode, so lines of the harness that end with the other mode are removed.
 */
function forMode(harness: string, source: string, compile: string): string {
  const other = '$([ "$0" = body ] && echo header || echo body)';
  return `sh -c 'grep -v "// ${other}$" ${harness} > ${source} && ${compile}'`;
}

/** Linking symbols for a debugger takes longer than compiling. */
const NO_SYMBOLS = '-ldflags=-w';

/** Short programs spend most of the time on starting the virtual machine. */
const QUICK_START = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];
const JAVA = ['java', ...QUICK_START].join(' ');
const JAVAC = ['javac', ...QUICK_START.map((option) => `-J${option}`)].join(' ');

/**
 * The interpreter itself: the `python3` of a version manager is a script that takes ten times as long
 * to start it.
 */
const PYTHON = installed('python3')
  ? execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
      encoding: 'utf8',
    }).trim()
  : 'python3';

/** C# is missing: .NET is not available for the tests. */
export const RUNTIMES: { readonly [language in ProgramLanguage]?: Runtime } = {
  python: {
    tools: ['python3'],
    run: `${PYTHON} sign.py`,
    harnessFile: 'harness.py',
    harness: `${PYTHON} harness.py`,
  },
  go: {
    tools: ['go'],
    run: `go run ${NO_SYMBOLS} main.go`,
    harnessFile: 'harness.go',
    build: forMode(
      'harness.go',
      'main_test.go',
      `go test -c ${NO_SYMBOLS} -o main main.go main_test.go`,
    ),
    built: './main',
    harness: './main',
  },
  java: {
    tools: ['java', 'javac'],
    run: `${JAVA} Sign.java`,
    build: forMode('Harness.java', 'Main.java', `${JAVAC} Sign.java Main.java`),
    built: `${JAVA} Sign`,
    harnessFile: 'Harness.java',
    harness: `${JAVA} Harness`,
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
    isSlow: true,
  },
};

/** The executables of a runtime that are not installed. */
export function missingTools({ tools }: Runtime): readonly string[] {
  return tools.filter((tool) => !installed(tool));
}
