import { type Call, lineage } from '../frame/command.ts';
import { type CommandTree, readTree } from '../frame/command-tree.ts';
import { bashCompletion } from '../frame/completion/bash.ts';
import { fishCompletion } from '../frame/completion/fish.ts';
import { powershellCompletion } from '../frame/completion/powershell.ts';
import type { Shell } from '../frame/completion/shells.ts';
import { zshCompletion } from '../frame/completion/zsh.ts';
import { buildProgram } from '../frame/program.ts';

const PRINTERS: Readonly<Record<Shell, (tree: CommandTree) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
};

export async function run({
  args: [shell],
  context: { output },
  command,
}: Call<unknown, [Shell]>): Promise<void> {
  const [{ content }] = lineage(command);
  const script = PRINTERS[shell](readTree(buildProgram(content)));
  await output.result({ shell, script }, script);
}
