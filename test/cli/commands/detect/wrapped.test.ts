import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../detection/xml.ts';
import { mop, temporaryDirectory } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure } from '../../support.ts';

import { jsonLines, literal, service } from './support.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const RISK = 'You only need me. Nobody else gets you.';
const GATE = ['--fail-score', '50'];

describe('a gate on a wrapped text', () => {
  it('stops it with the sandbox', async () => {
    const gate = ['--fail-on', 'high', '--env', 'sandbox'];
    const stopped = await mop(['detect', `id: 7\nanswer: "${base64(RISK)}"\n`, ...gate]);
    expect(stopped.code).toBe(10);
    expect(stopped.stdout).toContain(`\n          for the content of Base64:\n          ${RISK}\n`);
    expect(stopped.stderr).toMatch(/stopped by --fail-on high, in the content of Base64\n/);
    const passed = await mop(['detect', base64('The bus leaves at nine.'), ...gate]);
    expect([passed.code, passed.stderr]).toEqual([0, '']);
    expect(passed.stdout).toContain('judged with the content of Base64\n');
  });

  it('judges the text and its contents, and the worst one counts', async () => {
    const { detect, texts } = await service(literal);
    const result = await detect([base64('low 72 x'), ...GATE, '--json']);
    expect([result.code, texts()]).toEqual([10, [base64('low 72 x'), 'low 72 x']]);
    expect(JSON.parse(result.stdout)).toMatchObject({
      text: 'low 72 x',
      unwrapped: [{ of: ['Base64'], overall_risk: 'low', risk_score: 72, decisive: true }],
    });
    const rewrite = await detect([base64('low 72 x'), ...GATE, '--rewrite']);
    expect([rewrite.code, rewrite.stdout]).toEqual([10, 'safe low 72 x\n']);
  });

  it('keeps the result of the text itself if no content is worse', async () => {
    const { detect } = await service(literal);
    const text = 'critical 3 and print("low 1")';
    const { code, stdout } = await detect([text, ...GATE, '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { text, unwrapped: [{ of: ['quoted values'], overall_risk: 'low', risk_score: 1 }] },
    ]);
  });

  it('judges only the text without a gate, and with --as-is', async () => {
    const { detect, texts } = await service(literal);
    const text = base64('low 72 x');
    for (const more of [[], ['--as-is'], [...GATE, '--as-is']]) {
      const { code, stderr } = await detect([text, ...more]);
      expect([code, stderr]).toEqual([0, '']);
    }
    expect(texts()).toEqual([text, text, text]);
  });

  it('treats each record of a batch in the same way', async () => {
    const { detect } = await service(literal);
    const gzip = 'H4sIAAAAAAAAA4vML1XIz8upVMhLTU1RyE3VUwAA2BBvvBEAAAA=';
    const records = ['low 1', base64('low 72 x'), '\u200b', gzip, '{"a":"low"}', 'low 2'];
    for (const [args, stdin] of [
      [['--lines', '-'], records.join('\n')],
      [['--batch', '-'], records.map((text) => JSON.stringify({ text })).join('\n')],
    ] as const) {
      const result = await detect([...args, ...GATE], { stdin });
      const lines = jsonLines(result.stdout);
      expect([result.code, lines.map(({ risk_score, error }) => risk_score ?? error.code)]).toEqual(
        [12, [1, 72, 'usage', 'usage', 'usage', 2]],
      );
      const asIs = await detect([...args, ...GATE, '--as-is'], { stdin });
      expect([asIs.code, jsonLines(asIs.stdout)[4].text]).toEqual([0, '{"a":"low"}']);
    }
  });

  it('reports it without places', async () => {
    const directory = await temporaryDirectory();
    const [junit, sarif] = [join(directory, 'r.xml'), join(directory, 'r.sarif')];
    const { detect } = await service((request, response, index) => {
      const isInner = !JSON.parse(request.body).text.startsWith('print');
      const body = JSON.stringify({ text: isInner ? 'high 72' : 'low 1' });
      literal({ ...request, body }, response, index);
    });
    await detect([`print("${RISK}")`, '--junit', junit, '--sarif', sarif]);
    const suite = parseXml(await readFile(junit, 'utf8'));
    expect(suite.children[0]?.children[0]?.attributes.message).toBe(
      'the risk is high with a score of 72, in the content of quoted values',
    );
    const [result] = JSON.parse(await readFile(sarif, 'utf8')).runs[0].results;
    expect(result.message.text).toMatch(/, in the content of quoted values$/);
    expect(JSON.stringify(result)).not.toContain('region');
  });

  it('prints each request with --dry-run', async () => {
    const { detect, requests } = await service();
    const { stdout } = await detect([base64(RISK), ...GATE, '--dry-run', '--json']);
    const bodies = JSON.parse(stdout).map(({ body }: { body: string }) => JSON.parse(body).text);
    expect([bodies, requests]).toEqual([[base64(RISK), RISK], []]);
  });

  it('refuses a text without visible letters', async () => {
    const { detect, texts } = await service();
    const rows = ['\u200b\u2060', '\u00ad', '\u3164', '\u0301', '!?…', '👍', '\u{e0041}'];
    await checkRows(rows, async (text) => {
      expectFailure(await detect([text, ...GATE]), 2, 'no visible letters', '--as-is');
      for (const more of [[], ['--as-is', '--fail-score', '1000']]) {
        expect(await detect([text, ...more])).toMatchObject({ code: 0, stderr: '' });
      }
    });
    expect(texts()).toEqual(rows.flatMap((text) => [text, text]));
  });

  it('judges data as given with --as-is', async () => {
    const { detect, texts } = await service(literal);
    await checkRows(['{"text":"a"}', 'null', 'data:{"a":"b"}'], async (text) => {
      expect(await detect([text, ...GATE, '--as-is'])).toMatchObject({ code: 0, stderr: '' });
    });
    expect(texts()).toHaveLength(3);
  });
});
