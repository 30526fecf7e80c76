import type { Call } from '../frame/command.ts';
import bash from '../frame/completion/mop.bash?raw';
import fish from '../frame/completion/mop.fish?raw';
import powershell from '../frame/completion/mop.ps1?raw';
import zsh from '../frame/completion/mop.zsh?raw';

const SCRIPTS = { bash, zsh, fish, powershell };

export async function run({
  args: [shell],
  context: { output },
}: Call<unknown, [keyof typeof SCRIPTS]>): Promise<void> {
  const script = SCRIPTS[shell];
  await output.result({ shell, script }, script);
}
