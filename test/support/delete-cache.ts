/** Runs in each test file: a cached schema could belong to an earlier server at the same port. */
import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { WITHOUT_CONFIG } from './without-config.ts';

afterAll(() => rmSync(WITHOUT_CONFIG, { recursive: true, force: true }));
