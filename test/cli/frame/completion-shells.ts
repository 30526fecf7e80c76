import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { mop, temporaryDirectory } from '../../support/cli.ts';
import { listen } from '../../support/server.ts';

interface Driver {
  readonly program: string;
  readonly args: (lines: readonly string[]) => readonly string[];
  /** A script that writes an answer for each line: `OFFERED|…` and a tab, then the completed line. */
  readonly script: (lines: readonly string[]) => string;
}

/** Types on a pseudo-terminal, which `script` of util-linux opens. */
const bash: Driver = {
  program: 'bash',
  args: (lines) => [
    '--norc',
    '-c',
    `{
      printf '%s\\t\\030r\\030k' ${lines.map(quote).join(' ')}
      printf 'touch ../done; exit\\r'
      for ((i = 0; i < 500; i++)); do [[ -e ../done ]] && break; sleep 0.1; done
    } | script -qec 'bash --rcfile ../driver.ps1 -i' /dev/null > ../screen
    cat ../answers`,
  ],
  script: () => `
    source ../completion.ps1
    offer() {
      _mop "$@"
      local IFS='|'
      offered="\${COMPREPLY[*]}"
    }
    complete -o default -F offer mop
    record() { printf '%s\\t%s\\n' "$offered" "$READLINE_LINE" >> ../answers; offered=''; }
    bind -x '"\\C-xr": record'
    bind '"\\C-xk": kill-whole-line'`,
};

/** Runs the line editor on a pseudo-terminal, and records the completions that it receives. */
const zsh: Driver = {
  program: 'zsh',
  args: () => [
    '-f',
    '-c',
    `zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell source ../driver.ps1
    while zpty -r shell; do :; done > ../screen
    cat ../answers`,
  ],
  script: (lines) => `
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
        zle expand-or-complete
        print -r -- \${(j:|:)offered}$'\\t'$BUFFER >> ../answers
      done
      exit
    }
    zle -N zle-line-init`,
};

const fish: Driver = {
  program: 'fish',
  args: () => ['--no-config', '../driver.ps1'],
  script: (lines) => `
    source ../completion.ps1
    for line in ${lines.map(quote).join(' ')}
      echo (complete -C $line | string replace -r '\\t.*' '' | string join '|')
    end`,
};

const powershell: Driver = {
  program: 'pwsh',
  args: () => ['-NoProfile', '-NonInteractive', '-File', '../driver.ps1'],
  script: (lines) => `
    . ../completion.ps1
    foreach ($line in ${lines.map(quote).join(', ')}) {
      (TabExpansion2 $line $line.Length).CompletionMatches.CompletionText -join '|'
    }`,
};

export const DRIVERS = { bash, zsh, fish, powershell };

/** Shell code, as a name in an untrusted configuration or file. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell variable must stay in the text
export const HOSTILE = '$(touch${IFS}pwned)';

/** The columns of `bill.csv` in the directory of {@link completions}. */
const COLUMNS = ['order_id', 'paid amount', '城市', HOSTILE, "a'b"];

/** The answer of a shell to a line with the cursor at its end. */
export interface Completed {
  /** Sorted. Of a path, `@FILE` or `--option=value`, only the last part. */
  readonly offered: readonly string[];
  /** The line after the completion. Not known for fish and PowerShell. */
  readonly line: string | undefined;
}

/** Completes each line of a `mop` with the profiles `default`, `staging` and {@link HOSTILE}. */
export async function completions(
  { program, args, script }: Driver,
  completion: string,
  lines: readonly string[],
): Promise<Completed[]> {
  const home = await temporaryDirectory();
  const cwd = join(home, 'cwd');
  for (const folder of ['bin', 'config', 'cwd/folder']) {
    await mkdir(join(home, folder), { recursive: true, mode: 0o700 });
  }
  const profiles = { default: {}, staging: {}, [HOSTILE]: {} };
  await writeFile(join(home, 'config/config.json'), JSON.stringify({ profiles }));
  const port = await answerHere(cwd, { MOP_CONFIG_DIR: join(home, 'config'), HOME: home });
  const client = `#!/bin/bash
exec 3<> /dev/tcp/127.0.0.1/${port}
printf '%s\\0' "$@" >&3
echo >&3
cat <&3
`;
  await writeFile(join(home, 'bin/mop'), client, { mode: 0o755 });
  await writeFile(join(cwd, 'file1'), '');
  await writeFile(join(cwd, 'bill.csv'), `${COLUMNS.join(',')}\n1,2,3,4,5\n`);
  // Only PowerShell requires this extension.
  await writeFile(join(home, 'completion.ps1'), completion);
  await writeFile(join(home, 'driver.ps1'), script(lines));
  const env = {
    PATH: `${home}/bin:${process.env.PATH}`,
    HOME: home,
    TERM: 'xterm',
    LC_ALL: 'C.UTF-8',
  };
  const { stdout } = await promisify(execFile)(program, [...args(lines)], {
    cwd,
    env,
    timeout: 60_000,
  });
  if (existsSync(join(cwd, 'pwned'))) throw new Error('a name was carried out');
  const answers = stdout.split(/\r?\n/);
  return lines.map((typed, i) => {
    const [offered = '', line] = (answers[i] ?? '').split('\t');
    // bash and zsh complete some paths themselves.
    const path = offered === '' && line !== typed ? (line ?? '').trim().split(' ').at(-1) : '';
    const words = (offered || path || '').split('|').filter((word) => word !== '');
    return {
      offered: words.map((word) => basename(word.replace(/^(?:--.*=|@)/, ''))).sort(),
      line,
    };
  });
}

/** Answers the words of each `mop` in this process. A child process for each line would take longer. */
async function answerHere(cwd: string, env: Record<string, string>): Promise<number> {
  const before = process.cwd();
  process.chdir(cwd);
  const server = createServer(async (socket) => {
    socket.setEncoding('utf8');
    let words = '';
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      words += chunk;
      if (words.endsWith('\0\n')) break;
    }
    const { stdout } = await mop(words.split('\0').slice(0, -1), { env, stdin: '', now: Date.now });
    socket.end(stdout);
  });
  onTestFinished(() => process.chdir(before));
  return listen(server);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
