import { once } from 'node:events';
import { expect, it } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../../../src/protocol/sandbox.ts';
import { signHeaders } from '../../../../src/signing/header-mode.ts';
import { postJson } from '../../../sandbox/support.ts';
import { mop } from '../../../support/cli.ts';
import { startMop } from '../../../support/process.ts';
import { expectFailure } from '../../support.ts';

it('mop sandbox refuses a reading that does not exist', async () => {
  const refused = await mop(['sandbox', '--port', '0', '--reading', 'clock=any']);
  expectFailure(refused, 2, 'unknown reading "clock"', 'header-names');
});

it.each([
  ['documented', 0, 'x-tms-nonce as X-TMS-Nonce'],
  ['as-sent', 1002, '(header-name-case)'],
])(
  'mop sandbox --reading header-names=%s answers %i, and logs why',
  async (reading, code, line) => {
    const argv = ['sandbox', '--port', '0', '--json', '--log'];
    const { child, ended } = startMop([...argv, '--reading', `header-names=${reading}`], {});
    const [facts] = await once(child.stdout, 'data');
    const { headers, body } = signHeaders('{}', SANDBOX_CREDENTIALS);
    const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const url = `${JSON.parse(String(facts)).url}/api/open/user/sync`;
    const { body: answer } = await postJson(url, body ?? '', Object.fromEntries(lowered));
    expect(JSON.parse(String(answer))).toMatchObject({ code });
    child.kill('SIGTERM');
    expect((await ended).stderr).toContain(line);
  },
);
