import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../src/http/proxy-for.ts';
import { serve } from '../support/server.ts';
import { fetchText } from './support.ts';

describe('proxyFor', () => {
  it.each([
    ['', false],
    ['*', true],
    ['localhost', true],
    ['LOCALHOST', true],
    ['.localhost', true],
    ['*.localhost', true],
    ['ocalhost', false],
    ['localhost:8080', true],
    ['localhost:1', false],
    ['elsewhere.example,localhost', true],
    ['elsewhere.example localhost:8080', true],
    ['127.0.0.1', false],
    ['*,elsewhere.example', false],
  ])('with NO_PROXY %j', (except, exempt) => {
    const settings = { http: 'http://127.0.0.1:3128', except };
    const chosen = proxyFor(new URL('http://localhost:8080/x'), settings);
    expect(chosen === undefined).toBe(exempt);
  });

  it.each(['::1', '[::1]', '[::1]:8443', 'x,::1'])(
    'with NO_PROXY %s for an IPv6 address',
    (except) => {
      const settings = { https: 'http://127.0.0.1:3128', except };
      expect(proxyFor(new URL('https://[::1]:8443/'), settings)).toBeUndefined();
      expect(proxyFor(new URL('https://[::2]:8443/'), settings)).toBeDefined();
    },
  );

  it('distinguishes the schemes and their default ports', () => {
    const settings = { http: 'http://plain:1', https: 'http://tls:2', except: 'a:80,b:443' };
    const chosen = (url: string) => proxyFor(new URL(url), settings)?.host;
    expect(chosen('http://a')).toBeUndefined();
    expect(chosen('https://a')).toBe('tls:2');
    expect(chosen('http://b')).toBe('plain:1');
    expect(chosen('https://b')).toBeUndefined();
    expect(proxyFor(new URL('https://a'), { http: 'http://plain:1' })).toBeUndefined();
  });

  it('bypasses the proxy of another machine for plain http to this machine', async () => {
    const server = await serve((_, response) => response.end('hello'));
    const proxy = { http: 'http://proxy.invalid:1' };
    expect(proxyFor(new URL(server.url), proxy)).toBeUndefined();
    expect(await fetchText(server.url, { proxy })).toBe('hello');
  });

  it('rejects an invalid address', () => {
    expect(() => proxyFor(new URL('https://a'), { https: 'ftp://nonsense' })).toThrow(
      'of the proxy',
    );
  });
});
