import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { mop } from '../../../support/cli.ts';

it('prints one file that allows only its own script and style, and no connection', async () => {
  const { code, stdout, stderr } = await mop(['sandbox', 'debugger']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^<!doctype html>\n<html lang="en">.*<\/html>\n$/s);
  expect(stdout).not.toMatch(/ (?:src|href)="(?!data:|#)/);
  const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(stdout) ?? [];
  const plain = policy.replaceAll('&#39;', "'");
  const parts = [
    ['script-src', /<script type="module">(.*?)<\/script>/s],
    ['style-src', /<style>(.*?)<\/style>/s],
  ] as const;
  for (const [directive, element] of parts) {
    const digest = createHash('sha256').update(element.exec(stdout)?.[1] ?? '');
    expect(plain).toContain(`${directive} 'sha256-${digest.digest('base64')}'`);
  }
  expect(plain).toContain("default-src 'none'");
  expect(plain).toContain("connect-src 'none'");
});

it.each([
  [['--lang', 'zh'], {}],
  [[], { LC_ALL: 'zh_CN.UTF-8' }],
])('prints Chinese with %j and %j', async (options, env) => {
  const { stdout } = await mop(['sandbox', 'debugger', ...options], { env });
  expect(stdout).toContain('<html lang="zh-CN">');
  expect(stdout).toContain('<h1>签名调试</h1>');
});

it('has no options of a server', async () => {
  const { code, stderr } = await mop(['sandbox', 'debugger', '--port', '1']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('nothing is served')]);
});
