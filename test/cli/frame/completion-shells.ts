import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mop, temporaryDirectory } from '../../support/cli.ts';

interface Driver {
  readonly program: string;
  readonly args: readonly string[];
  /** A script that prints the words that complete each line, separated by `|`. */
  readonly script: (command: string, lines: readonly string[]) => string;
}

/** Calls the function as readline does, and completes paths instead of readline. */
const bash: Driver = {
  program: 'bash',
  args: ['--norc', '../driver.ps1'],
  script: (command, lines) => `
    source ../completion.ps1
    compopt() { asked+=" $*"; }
    probe() {
      COMP_LINE=$1 asked=''
      local current=$2
      shift 2
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _${command} ${command} "$current"
      [[ $asked == *' -o default'* ]] && COMPREPLY=($(compgen -f -- "$current"))
      [[ $asked == *' -o dirnames'* ]] && COMPREPLY=($(compgen -d -- "$current"))
      local IFS='|'
      echo "\${COMPREPLY[*]}"
    }
    ${lines
      .map((line) => {
        const words = line.split(/ |(?<=[=@])|(?=[=@])/);
        const current = /[^ =]*$/.exec(line)?.[0] ?? '';
        return `probe ${[line, current, ...words].map(quote).join(' ')}\n`;
      })
      .join('')}`,
};

/** Runs the line editor on a pseudo-terminal, and records the completions that it receives. */
const zsh: Driver = {
  program: 'zsh',
  args: [
    '-f',
    '-c',
    `zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell source ../driver.ps1
    while zpty -r shell; do :; done > ../screen
    cat ../answers`,
  ],
  script: (_, lines) => `
    autoload -Uz compinit && compinit -D -u
    source ../completion.ps1
    compadd() {
      local -a added
      # With these it adds nothing, and answers a question.
      if [[ " $argv[1,(i)-(|-)] " != *' -'[a-zA-Z]#[OAD]' '* ]]; then
        builtin compadd -O added "$@"
        offered+=($added)
      fi
      builtin compadd "$@"
    }
    zle-line-init() {
      local line
      local -aU offered
      for line in ${lines.map(quote).join(' ')}; do
        offered=()
        BUFFER=$line CURSOR=$#line
        zle list-choices
        print -r -- \${(j:|:)offered} >> ../answers
      done
      exit
    }
    zle -N zle-line-init`,
};

const fish: Driver = {
  program: 'fish',
  args: ['--no-config', '../driver.ps1'],
  script: (_, lines) => `
    source ../completion.ps1
    for line in ${lines.map(quote).join(' ')}
      echo (complete -C $line | string replace -r '\\t.*' '' | string join '|')
    end`,
};

const powershell: Driver = {
  program: 'pwsh',
  args: ['-NoProfile', '-NonInteractive', '-File', '../driver.ps1'],
  script: (_, lines) => `
    . ../completion.ps1
    foreach ($line in ${lines.map(quote).join(', ')}) {
      (TabExpansion2 $line $line.Length).CompletionMatches.CompletionText -join '|'
    }`,
};

export const DRIVERS: Readonly<Record<string, Driver>> = { bash, zsh, fish, powershell };

/**
 * The sorted completions that a shell offers at the end of each line after it has read `script`. The
 * directory contains `file1` and the directory `folder`. Of a path, `@FILE` or `--option=value`,
 * only the last part is returned.
 */
export async function completions(
  { program, args, script }: Driver,
  completion: string,
  command: string,
  lines: readonly string[],
): Promise<string[][]> {
  const home = await temporaryDirectory();
  const cwd = join(home, 'cwd');
  await mkdir(join(cwd, 'folder'), { recursive: true });
  await writeFile(join(cwd, 'file1'), '');
  // Only PowerShell requires this extension.
  await writeFile(join(home, 'completion.ps1'), completion);
  await writeFile(join(home, 'driver.ps1'), script(command, lines));
  await installMop(home);
  const { stdout } = await promisify(execFile)(program, [...args], {
    cwd,
    env: {
      PATH: `${home}/bin:${process.env.PATH}`,
      HOME: home,
      TERM: 'xterm',
      MOP_CONFIG_DIR: join(home, 'config'),
      NODE_DISABLE_COMPILE_CACHE: '1',
    },
    timeout: 20_000,
  });
  if (existsSync(join(cwd, 'pwned'))) throw new Error('the name of a profile was carried out');
  const answers = stdout.split(/\r?\n/);
  return lines.map((_, i) =>
    (answers[i] ?? '')
      .split('|')
      .filter((word) => word !== '')
      .map((word) => basename(word.replace(/^(?:--.*=|@)/, '')))
      .sort(),
  );
}

/** The name of a profile with shell code, from an untrusted configuration. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell variable must stay in the text
export const HOSTILE = '$(touch${IFS}pwned)';

/** Installs a `mop` on the path with the profiles `default`, `staging` and {@link HOSTILE}. */
async function installMop(home: string): Promise<void> {
  const bin = fileURLToPath(new URL('../../../bin/mop.js', import.meta.url));
  await mkdir(join(home, 'bin'));
  await writeFile(join(home, 'bin/mop'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, {
    mode: 0o755,
  });
  for (const profile of ['default', 'staging']) {
    const env = { MOP_CONFIG_DIR: join(home, 'config') };
    const { code } = await mop(['config', 'set', 'timezone', 'UTC', '-p', profile], { env });
    if (code !== 0) throw new Error(`cannot create profile ${profile}`);
  }
  const file = join(home, 'config/config.json');
  const { profiles } = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ profiles: { ...profiles, [HOSTILE]: {} } }));
}

function quote(text: string): string {
  return `'${text}'`;
}
