/**
 * Asks the registry about known vulnerabilities. What is bundled reaches users, so any of those is
 * a failure; the tools of the development are named and let pass. Usage, after a build:
 *
 *     npm audit --json | node scripts/audit.js
 *
 * Ends with 1 for a vulnerability, and with 75 ("try again later") where the registry gave no
 * answer.
 */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const { vulnerabilities } = JSON.parse((await text(process.stdin)) || '{}');
const { components } = JSON.parse(
  readFileSync(new URL('../dist/sbom.cdx.json', import.meta.url), 'utf8'),
);
const bundled = components.map(({ name }) => name);

if (vulnerabilities === undefined) {
  console.error('no audit: the registry gave no answer');
  process.exitCode = 75;
} else {
  for (const { name, severity, range } of Object.values(vulnerabilities)) {
    const isShipped = bundled.includes(name);
    console.error(`${isShipped ? 'bundled' : 'development'}: ${name} ${range} (${severity})`);
    if (isShipped) process.exitCode = 1;
  }
  console.error(`audited: ${bundled.length} bundled packages`);
}
