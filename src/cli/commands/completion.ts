import { Argument, type Command } from 'commander';
import type { Choose } from '../command.ts';
import type { CommandTree } from '../completion/tree.ts';
import type { Context } from '../context.ts';

const PRINTERS = {
  bash: async () => (await import('../completion/bash.ts')).bashCompletion,
  zsh: async () => (await import('../completion/zsh.ts')).zshCompletion,
  fish: async () => (await import('../completion/fish.ts')).fishCompletion,
  powershell: async () => (await import('../completion/powershell.ts')).powershellCompletion,
} satisfies Record<string, () => Promise<(tree: CommandTree) => string>>;

type Shell = keyof typeof PRINTERS;

export function registerCompletion(parent: Command, choose: Choose): void {
  parent
    .command('completion')
    .description('Print a script that completes mop in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(PRINTERS)))
    .addHelpText(
      'after',
      `
To install it:
  bash        echo 'source <(mop completion bash)' >> ~/.bashrc
  zsh         echo 'source <(mop completion zsh)' >> ~/.zshrc   (compinit comes before it)
  fish        mop completion fish > ~/.config/fish/completions/mop.fish
  powershell  Add-Content $PROFILE 'mop completion powershell | Out-String | Invoke-Expression'
`,
    )
    .action((shell: Shell, _: unknown, command: Command) =>
      choose(command, (context) => runCompletion(shell, parent, context)),
    );
}

async function runCompletion(shell: Shell, program: Command, { output }: Context): Promise<void> {
  const { readTree } = await import('../completion/tree.ts');
  const print = await PRINTERS[shell]();
  const script = print(readTree(program));
  if (output.json) await output.document({ shell, script });
  else await output.data(script);
}
