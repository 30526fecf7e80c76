/** Tests the library in a page and in a route handler of Next. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { run } from '../../package/support.ts';
import { EXPECTED, MODULES, PROJECT, SIGNATURE } from './support.ts';

it('Next builds and serves the library', async () => {
  const next = join(MODULES, 'next/dist/bin/next');
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;
  const options = { cwd: join(PROJECT, 'next'), env };
  // The pages are dynamic, so there are no others to render in advance.
  await run(process.execPath, [next, 'build', '--experimental-build-mode', 'compile'], options);

  const listen = ['start', '--port', '0', '--hostname', '127.0.0.1'];
  const server = spawn(process.execPath, [next, ...listen], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let url: string | undefined;
    for await (const line of createInterface(server.stdout)) {
      url ??= /http:\/\/\S+/.exec(line)?.[0];
      if (line.includes('Ready')) break;
    }
    expect(await (await fetch(`${url}/api`)).json()).toEqual(EXPECTED);
    expect(await (await fetch(`${url}`)).text()).toContain(SIGNATURE);
  } finally {
    server.kill();
  }
});
