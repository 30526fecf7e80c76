import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { afterAll } from 'vitest';

/**
 * A directory without a configuration. Commands keep their cache in it, so it is deleted after each
 * file: a cached schema could belong to an earlier server at the same port.
 */
export const WITHOUT_CONFIG = join(tmpdir(), `mop-test-${pid}-without-config`);

afterAll(() => rmSync(WITHOUT_CONFIG, { recursive: true, force: true }));
