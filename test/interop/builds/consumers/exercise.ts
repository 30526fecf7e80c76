/** Uses each part of the library that loads something at run time. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GraphqlClient,
  linkAccount,
  loadDetector,
  MopError,
  PlatformClient,
  SqliteAccountStore,
  startSandbox,
  Transport,
} from 'mop-cli';
import { readCapture, MopError as SigningError, signBody, verifySignature } from 'mop-cli/signing';

export async function exercise() {
  const directory = mkdtempSync(join(tmpdir(), 'mop-consumer-'));
  const credentials = { apiKey: 'sandbox', secret: 'sandbox-secret' };
  const { body } = signBody('{"lat":30.10}', credentials);
  const { valid } = verifySignature(await readCapture(body), credentials.secret);

  const sandbox = await startSandbox({ rows: 3 });
  const transport = new Transport();
  const client = new PlatformClient({ baseUrl: sandbox.url, credentials, transport });
  const date = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const target = join(directory, 'bill.csv');
  const bill = await client.fetchBill({ date, type: 'all', target });
  const refused = await client
    .fetchBill({ date: 'x', type: 'all', target })
    .catch((error: unknown) => error);
  const graphql = new GraphqlClient({ endpoint: `${sandbox.url}/graphql`, transport });
  const { errors } = await graphql.send({ kind: 'query', query: '{ bill { date } }' });
  const page = await fetch(sandbox.url);
  const script = /src="([^"]+)"/.exec(await page.text())?.[1] ?? 'missing';
  const asset = await fetch(new URL(script, page.url));
  await transport.close();
  await sandbox.close();

  const store = new SqliteAccountStore(join(directory, 'accounts.db'), 'tests');
  const { status } = await linkAccount(store, { user: 'u-1', openId: 'o-1' });
  const detector = await loadDetector();
  const lines = readFileSync(target, 'utf8').split('\n').length;
  rmSync(directory, { recursive: true });
  return {
    valid,
    bill: [bill.status, bill.verified, lines],
    refused: refused instanceof MopError && refused instanceof SigningError && refused.code,
    errors: errors.length,
    page: [page.status, asset.status],
    account: status,
    level: detector.assess('You only need me, nobody else gets you.').level,
  };
}
