import { describe, expect, it } from 'vitest';
import { mop } from '../../support/cli.ts';
import { pointAt, sandbox } from '../../support/platform.ts';
import { installed } from '../../support/programs.ts';
import { checkRows } from '../../support/rows.ts';
import { envelope, serve } from '../../support/server.ts';
import { expectFailure, SECRET, sh } from '../support.ts';

describe('--dry-run --reveal', () => {
  it.runIf(installed('curl'))('prints curl commands that can be run', async () => {
    const { env } = await sandbox();
    const rows = [
      ['call', 'user/sync', '{"name":"it\'s 名","n":1.0}'],
      ['call', 'user/sync', '{"a":null}', '--mode', 'header', '-H', 'X-TMS-Token: value-1'],
      ['call', 'user/sync', '--mode', 'header', '--form', 'a=b c'],
      ['estimate', '--city', '330100', '--lat', '30.27'],
      ['bill', 'info'],
    ];
    await checkRows(rows, async (argv) => {
      const { code, stdout } = await mop([...argv, '--dry-run', '--reveal'], { env });
      expect(code).toBe(0);
      expect(JSON.parse(await sh(stdout.replace(/^curl/, 'curl -sS')))).toMatchObject({ code: 0 });
    });
  });

  it('prints the signature and the credentials of -H, which are redacted without --reveal', async () => {
    const env = { ...pointAt('https://platform.example'), MOP_DETECT_URL: 'https://d.example' };
    const token = 'Authorization: Bearer token-canary';
    const rows = [
      { argv: ['call', 'x'], shown: /"sign\\":\\"[0-9A-F]{32}/ },
      { argv: ['call', 'x', '--mode', 'header'], shown: /"X-TMS-Sign":"[0-9A-F]{32}"/ },
      { argv: ['bill', 'fetch', '--last', '2'], shown: /"sign\\":\\"[0-9A-F]{32}/ },
      { argv: ['detect', 'a text', '-H', token], shown: /Bearer token-canary/ },
      {
        argv: ['gql', '{a}', '--endpoint', 'https://g.example/graphql', '-H', token],
        shown: /Bearer token-canary/,
      },
    ];
    await checkRows(rows, async ({ argv, shown }) => {
      const revealed = await mop([...argv, '--dry-run', '--reveal', '--json'], { env });
      expect(revealed).toMatchObject({ code: 0, stderr: '' });
      expect(revealed.stdout).toMatch(shown);
      expect(revealed.stdout).not.toContain('redacted');
      const hidden = await mop([...argv, '--dry-run', '--json'], { env });
      expect(hidden.stdout).not.toMatch(shown);
      expect(hidden.stdout).toContain('<redacted>');
    });
  });

  it('notes that the address of the embedded sandbox ends with the command', async () => {
    const { stderr } = await mop(['call', 'x', '--dry-run', '--reveal', '--env', 'sandbox']);
    expect(stderr).toBe(
      'the printed address works only while this command runs; for a lasting one, start mop sandbox\n',
    );
  });

  it('never prints the api secret', async () => {
    const { url, requests } = await serve((_, response) => envelope(response, 0));
    const env = { ...pointAt(url), MOP_API_SECRET: SECRET };
    const rows = [
      ['call', 'x', `{"api_secret":"${SECRET}","a":"my ${SECRET}"}`],
      ['call', 'x', '{}', '--mode', 'header', '-H', `X-TMS-Note: ${SECRET}`],
      ['call', 'x', '--mode', 'header', '--form', `a=${SECRET}`],
    ];
    await checkRows(rows, async (argv) => {
      for (const more of [[], ['--reveal'], ['--reveal', '--json']]) {
        const { code, stdout, stderr } = await mop([...argv, '--dry-run', ...more], { env });
        expect(code).toBe(0);
        expect(stdout + stderr).not.toContain(SECRET);
      }
    });
    expect(requests).toEqual([]);
  });
});

describe('--reveal without --dry-run', () => {
  it('is rejected by every command except bill info', async () => {
    const { env, log } = await sandbox();
    const rows = [['call', 'x'], ['bill', 'fetch'], ['sign', '{}'], ['errors'], ['config', 'list']];
    await checkRows(rows, async (argv) =>
      expectFailure(await mop([...argv, '--reveal'], { env }), 2, '--reveal requires --dry-run'),
    );
    expect(log).toEqual([]);
    const { code, stdout } = await mop(['bill', 'info', '--reveal'], { env });
    expect(code).toBe(0);
    expect(stdout).not.toContain('redacted');
  });
});
