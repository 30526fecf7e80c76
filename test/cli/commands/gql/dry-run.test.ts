import { describe, expect, it } from 'vitest';
import { expectFailure, file } from '../../support.ts';
import { service } from './support.ts';

const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';

const SUBSCRIPTION = 'subscription { count }';

describe('--dry-run', () => {
  it('prints a curl command and sends nothing', async () => {
    const { gql, endpoint, requests } = await service();
    const args = ["query A($s: String) { a(b: 'c') }".replaceAll("'", '"'), '--dry-run'];
    const { code, stdout, stderr } = await gql([...args, '-f', "s=it's"]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`curl -X POST ${endpoint} \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: ${ACCEPT}' \\
  --data-raw '{"query":"query A($s: String) { a(b: \\"c\\") }","operationName":"A","variables":{"s":"it'\\''s"}}'
`);
    expect((await gql(['{ a }', '--dry-run', '--get'])).stdout).toBe(
      `curl -X GET '${endpoint}?query=%7B+a+%7D' \\\n  -H 'Apollo-Require-Preflight: true' \\\n  -H 'Accept: ${ACCEPT}'\n`,
    );
    expect(requests).toEqual([]);
  });

  it('redacts a credential in the address, except with --reveal', async () => {
    const { gql, endpoint } = await service();
    const address = `${endpoint}?api_key=canary-123&v=1`;
    const args = ['{ a }', '--endpoint', address, '--dry-run', '--get'];
    expect((await gql(args)).stdout).toContain('?api_key=<redacted>&v=1&query=%7B+a+%7D');
    expect((await gql([...args, '--reveal'])).stdout).toContain('?api_key=canary-123&v=1&query=');
  });

  it('prints the request as JSON', async () => {
    const { gql, endpoint, requests } = await service();
    const post = await gql(['mutation { a }', '--dry-run', '--json']);
    expect(JSON.parse(post.stdout)).toEqual({
      method: 'POST',
      url: endpoint,
      headers: { 'Content-Type': 'application/json', Accept: ACCEPT },
      body: '{"query":"mutation { a }"}',
    });
    const get = await gql(['{ a }', '--dry-run', '--json', '--get']);
    expect(JSON.parse(get.stdout)).toEqual({
      method: 'GET',
      url: `${endpoint}?query=%7B+a+%7D`,
      headers: { 'Apollo-Require-Preflight': 'true', Accept: ACCEPT },
      body: null,
    });
    expect(requests).toEqual([]);
  });

  it('prints a form with its files', async () => {
    const { gql, endpoint, requests } = await service();
    const path = await file('x', { name: 'a b.txt' });
    const args = ['mutation ($f: Upload!) { a(f: $f) }', '--upload', `f=@${path}`, '--dry-run'];
    expect((await gql(args)).stdout).toBe(`curl -X POST ${endpoint} \\
  -H 'Apollo-Require-Preflight: true' \\
  -H 'Accept: ${ACCEPT}' \\
  --form-string 'operations={"query":"mutation ($f: Upload!) { a(f: $f) }","variables":{"f":null}}' \\
  --form-string 'map={"0":["variables.f"]}' \\
  -F '0=@"${path}";type=text/plain'
`);
    expect(requests).toEqual([]);
  });

  it('checks variables and options', async () => {
    const { gql } = await service();
    expectFailure(await gql(['query ($n: Int!) { a }', '--dry-run']), 2, '$n');
    expectFailure(await gql(['mutation { a }', '--dry-run', '--get']), 2, '--get');
  });

  it('asks for server-sent events for a subscription', async () => {
    const { gql, endpoint, requests } = await service();
    expect((await gql([SUBSCRIPTION, '--dry-run'])).stdout).toBe(`curl -X POST ${endpoint} \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: text/event-stream' \\
  --data-raw '{"query":"${SUBSCRIPTION}"}'
`);
    const json = await gql([SUBSCRIPTION, '--dry-run', '--json', '--get']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      method: 'GET',
      headers: { Accept: 'text/event-stream' },
      body: null,
    });
    expect(requests).toEqual([]);
  });
});
