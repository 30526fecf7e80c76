import { Argument } from 'commander';
import type { CommandDeclaration } from '../frame/command.ts';

export const completion: CommandDeclaration = {
  name: 'completion',
  description: 'Print a completion script for a shell.',
  declare: (command) => {
    const shells = ['bash', 'zsh', 'fish', 'powershell'];
    command.addArgument(new Argument('<shell>', 'the shell').choices(shells));
  },
  help: {
    notes: `
        To install it (in zsh, after compinit):

          bash  echo 'eval "$(mop completion bash)"' >> ~/.bashrc
          zsh   echo 'source <(mop completion zsh)' >> ~/.zshrc
          fish  mop completion fish > ~/.config/fish/completions/mop.fish

          powershell  Add-Content $PROFILE 'mop completion powershell |
                      Out-String | Invoke-Expression'`,
    examples: ['eval "$(mop completion bash)"', 'mop completion fish > mop.fish'],
  },
  load: async () => (await import('./completion.run.ts')).run,
};
