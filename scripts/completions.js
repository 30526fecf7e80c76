/** Writes the output of `mop completion` into completions/, where packagers expect it. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const FILES = { bash: 'mop.bash', zsh: '_mop', fish: 'mop.fish', powershell: 'mop.ps1' };

for (const [shell, file] of Object.entries(FILES)) {
  const script = execFileSync(process.execPath, [`${root}/bin/mop.js`, 'completion', shell]);
  writeFileSync(`${root}/completions/${file}`, script);
}
