import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
}

describe('the lockfile', () => {
  const { '': own, ...packages } = readJson('package-lock.json').packages;
  const locked = Object.entries(packages as Record<string, Locked>);

  it('contains the digest of each package, and no registry address', () => {
    expect(locked.length).toBeGreaterThan(100);
    for (const [path, { integrity, resolved }] of locked) {
      expect([path, integrity, resolved]).toEqual([
        path,
        expect.stringMatching(/^sha512-/),
        undefined,
      ]);
    }
  });

  it('names each package with an install script, and allows none of them to run it', () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([path]) => path.replace('node_modules/', ''));
    const { allowScripts } = readJson('package.json');
    expect(Object.keys(allowScripts)).toEqual(names);
    expect(names.filter((name) => allowScripts[name])).toEqual([]);
  });

  it('lists only development dependencies', () => {
    expect([own.dependencies, own.optionalDependencies, own.peerDependencies]).toEqual(
      Array(3).fill(undefined),
    );
  });
});

describe('the bill of materials', () => {
  const { metadata, components } = readJson('dist/sbom.cdx.json');
  const licences = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');

  it('lists the bundled packages as in the lockfile', () => {
    const { packages } = readJson('package-lock.json');
    expect(metadata.component.purl).toBe(`pkg:npm/mop-cli@${readJson('package.json').version}`);
    for (const { name, version, purl, hashes } of components) {
      const { version: locked, integrity } = packages[`node_modules/${name}`];
      expect([version, purl]).toEqual([locked, `pkg:npm/${encodePurl(name)}@${locked}`]);
      const digest = Buffer.from(hashes[0].content, 'hex').toString('base64');
      expect(`sha512-${digest}`).toBe(integrity);
      expect(licences).toContain(`${name} ${version}\n`);
    }
  });

  it('contains the packages of the commands', () => {
    const names = components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['commander', 'undici', 'graphql', 'hono']));
    expect(names).not.toContain('vitest');
  });
});

function encodePurl(name: string): string {
  return name.replace('@', '%40');
}

describe('npm run audit', () => {
  const audit = (report: unknown) =>
    spawnSync(process.execPath, [join(root, 'scripts/audit.js')], {
      input: JSON.stringify(report),
      encoding: 'utf8',
    });
  const found = (name: string) => ({
    vulnerabilities: { [name]: { name, severity: 'high', range: '<9' } },
  });

  it.each([
    ['fails for a bundled package', found('undici'), 1, 'bundled: undici <9 (high)'],
    [
      'reports a development tool without failing',
      found('vitest'),
      0,
      'development: vitest <9 (high)',
    ],
    ['succeeds without vulnerabilities', { vulnerabilities: {} }, 0, 'audited: '],
    ['reports a missing answer', { message: '405' }, 75, 'audit failed'],
  ])('%s', (_, report, code, reported) => {
    const { status, stderr } = audit(report);
    expect([status, stderr]).toEqual([code, expect.stringContaining(reported)]);
  });
});
