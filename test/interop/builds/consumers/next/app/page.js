import { signBody } from 'mop-cli';

export const dynamic = 'force-dynamic';

const fields = { timestamp: 1795000000, nonce: 'abcdefghij', seqId: 'seq-1' };

export default function Page() {
  return <pre>{signBody('{"lat":30.10}', { apiKey: 'k', secret: 's' }, fields).sign}</pre>;
}
