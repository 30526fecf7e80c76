import { Argument } from 'commander';
import type { Context } from '../context/context.ts';
import type { Choose, Command } from '../frame/command.ts';
import type { CommandTree } from '../frame/tree.ts';

const PRINTERS = {
  bash: async () => (await import('../frame/completion/bash.ts')).bashCompletion,
  zsh: async () => (await import('../frame/completion/zsh.ts')).zshCompletion,
  fish: async () => (await import('../frame/completion/fish.ts')).fishCompletion,
  powershell: async () => (await import('../frame/completion/powershell.ts')).powershellCompletion,
} satisfies Record<string, () => Promise<(tree: CommandTree) => string>>;

type Shell = keyof typeof PRINTERS;

export function register(completion: Command, choose: Choose): void {
  completion
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(PRINTERS)))
    .explain({
      notes: `
        To install it (in zsh compinit comes before it):

          bash  echo 'eval "$(mop completion bash)"' >> ~/.bashrc
          zsh   echo 'source <(mop completion zsh)' >> ~/.zshrc
          fish  mop completion fish > ~/.config/fish/completions/mop.fish

          powershell  Add-Content $PROFILE 'mop completion powershell |
                      Out-String | Invoke-Expression'`,
      examples: ['eval "$(mop completion bash)"', 'mop completion fish > mop.fish'],
    })
    .action((shell: Shell, _: unknown, command: Command) =>
      choose(command, (context) => runCompletion(shell, context)),
    );
}

async function runCompletion(shell: Shell, { output }: Context): Promise<void> {
  const [{ buildProgram }, { readTree }] = await Promise.all([
    import('../frame/program.ts'),
    import('../frame/tree.ts'),
  ]);
  const print = await PRINTERS[shell]();
  const script = print(readTree(await buildProgram()));
  if (output.json) await output.document({ shell, script });
  else await output.data(script);
}
