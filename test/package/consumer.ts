/**
 * A program that uses the library. The tests of the package compile it in a strict project against
 * the published declarations, and run it with the published code.
 */
import {
  type Account,
  type AccountStore,
  type Credentials,
  DetectionClient,
  findAccount,
  GraphqlClient,
  linkAccount,
  loadDetector,
  MopError,
  PlatformClient,
  readCapture,
  type Sandbox,
  SqliteAccountStore,
  signBody,
  signHeaders,
  startSandbox,
  Transport,
  verifySignature,
} from 'mop-cli';

const credentials: Credentials = { apiKey: 'sandbox', secret: 'sandbox-secret' };
const fields = { timestamp: 1795000000, nonce: 'abcdefghij', seqId: 'seq-1' };
const { body, sign } = signBody('{"lat":30.10}', credentials, fields);
const { headers } = signHeaders('{"lat":30.10}', credentials);
const { valid } = verifySignature(await readCapture(body), credentials.secret);

const sandbox: Sandbox = await startSandbox({ rows: 3 });
const transport = new Transport({ timeoutSeconds: 20, signal: AbortSignal.timeout(60_000) });
const client = new PlatformClient({ baseUrl: sandbox.url, credentials, transport });
const refused = await client
  .billDescriptor({ date: '2999-01-01', type: 'all' })
  .then(() => undefined)
  .catch((error: unknown) => (error instanceof MopError ? error.code : undefined));

const { data } = await new GraphqlClient({ endpoint: `${sandbox.url}/graphql`, transport }).send({
  kind: 'query',
  query: '{ bill { date } }',
});
const health = await new DetectionClient({ baseUrl: sandbox.url, transport }).health();

const answer = await transport.send({ method: 'GET', url: new URL(sandbox.url), headers: [] });
let bytes = 0;
for await (const chunk of answer.body) bytes += chunk.byteLength;

const store: AccountStore = new SqliteAccountStore('accounts.db', 'tests');
await linkAccount(store, { user: 'u-1', openId: 'o-1' });
const account: Account | undefined = await findAccount(store, { user: 'u-1' });
const { level } = (await loadDetector()).assess('hello');

await transport.close();
await sandbox.close();

console.log(
  JSON.stringify({
    sign,
    headers: Object.keys(headers).length,
    valid,
    refused,
    data: data?.kind,
    health: health.status,
    bytes: bytes > 0,
    openId: account?.openId,
    level,
  }),
);
