/** Packs the package, and installs it in an empty directory, once for all tests. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { npm, pack } from './support.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed package. */
    tarball: string;
    /** A directory with only this package installed. */
    project: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'mop-package-'));
  const project = join(directory, 'project');
  mkdirSync(project);
  const tarball = await pack(directory);
  // Offline, because the package has no dependencies.
  await npm(['install', tarball, '--offline'], project);
  provide('tarball', tarball);
  provide('project', project);
  return () => rmSync(directory, { recursive: true, force: true });
}
