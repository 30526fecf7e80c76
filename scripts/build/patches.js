import { readdirSync, readFileSync } from 'node:fs';

/** @throws {Error} unless `patches/` are applied: an unpatched undici accepts a truncated bill. */
export function assertPatched(root) {
  for (const patch of readdirSync(`${root}/patches`)) {
    let target = '';
    for (const line of readFileSync(`${root}/patches/${patch}`, 'utf8').split('\n')) {
      if (line.startsWith('+++ b/')) target = readFileSync(`${root}/${line.slice(6)}`, 'utf8');
      else if (line.startsWith('+') && !target.includes(line.slice(1))) {
        throw new Error(`${patch} is not applied: run npx patch-package`);
      }
    }
  }
}
