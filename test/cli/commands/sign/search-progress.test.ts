import { expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { SANDBOX_CREDENTIALS } from '../../../../src/protocol/sandbox.ts';
import { mop, NOW } from '../../../support/cli.ts';

const UNEXPLAINED = JSON.stringify({
  ...{
    api_key: SANDBOX_CREDENTIALS.apiKey,
    seq_id: 's',
    timestamp: 1795132800,
    nonce: 'abcdefghij',
  },
  sign: '0123456789ABCDEF'.repeat(2),
});
const VERIFY = ['sign', 'verify', UNEXPLAINED, '--env', 'sandbox', '--no-color'];

it('shows the progress of a search on a terminal after a second', async () => {
  let milliseconds = NOW;
  const now = (): number => (milliseconds += 400);
  const shown = await mop(VERIFY, { now, stderrIsTerminal: true });
  expect(shown.code).toBe(4);
  expect(shown.stderr).toMatch(/[\d,]+ ways to sign tried/);
  const piped = await mop(VERIFY, { now });
  expect(piped.stderr).not.toContain('ways to sign tried');
});

it.each([
  ['low', '; to try more, add --effort normal;'],
  ['normal', ''],
  ['high', ''],
])('names the limit of a search in a large request, with the effort %s', async (effort, more) => {
  const large = `{"a":"${'x'.repeat(100_000)}",${UNEXPLAINED.slice(1)}`;
  const verify = ['sign', 'verify', large, '--env', 'sandbox', '--effort', effort];
  const { stdout, stderr } = await mop(verify);
  expect(stdout).toContain('the request is large: only some single mistakes were tried\n');
  expect(stderr).toMatch(/at once|was not tried/);
  expect(stderr.includes('--effort')).toBe(more !== '');
  expect(stderr).toContain(more);
});

it('ends a search when the user interrupts', async () => {
  const stop = new AbortController();
  // The clock is read between the steps of a search.
  let readings = 0;
  const now = (): number => {
    if (++readings === 10) stop.abort(new MopError('interrupted', 'interrupted'));
    return NOW;
  };
  const { code, stdout } = await mop([...VERIFY, '--effort', 'high'], { now, signal: stop.signal });
  expect([code, stdout]).toEqual([130, '']);
});
