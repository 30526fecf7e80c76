/**
 * Queries the registry for known vulnerabilities. One in a bundled package is a failure, because
 * users receive it. One in a development tool is only reported. Usage, after a build:
 *
 *     npm audit --json | node scripts/audit.js
 *
 * Exits with 1 for a vulnerability in a bundled package, and with 75 ("try again later") if the
 * registry did not answer.
 */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const { vulnerabilities } = JSON.parse((await text(process.stdin)) || '{}');
const { components } = JSON.parse(
  readFileSync(new URL('../dist/sbom.cdx.json', import.meta.url), 'utf8'),
);
const bundled = components.map(({ name }) => name);

if (vulnerabilities === undefined) {
  console.error('no audit: the registry did not answer');
  process.exitCode = 75;
} else {
  for (const { name, severity, range } of Object.values(vulnerabilities)) {
    const isShipped = bundled.includes(name);
    console.error(`${isShipped ? 'bundled' : 'development'}: ${name} ${range} (${severity})`);
    if (isShipped) process.exitCode = 1;
  }
  console.error(`audited: ${bundled.length} bundled packages`);
}
