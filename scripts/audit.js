/**
 * Reports known vulnerabilities from the output of `npm audit`. A vulnerability in a bundled package
 * is a failure, because users receive it. Usage, after a build:
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
  console.error('audit failed: the registry did not answer');
  process.exitCode = 75;
} else {
  for (const { name, severity, range } of Object.values(vulnerabilities)) {
    const isShipped = bundled.includes(name);
    console.error(`${isShipped ? 'bundled' : 'development'}: ${name} ${range} (${severity})`);
    if (isShipped) process.exitCode = 1;
  }
  console.error(`audited: ${bundled.length} bundled packages`);
}
