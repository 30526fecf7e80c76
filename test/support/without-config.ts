import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';

/** A directory without a configuration, in which commands keep their cache. */
export const WITHOUT_CONFIG = join(tmpdir(), `mop-test-${pid}-without-config`);
