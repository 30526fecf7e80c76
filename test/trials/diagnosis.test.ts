import { expect, it } from 'vitest';
import { signBody } from '../../src/signing/body-mode.ts';
import { verifySignature } from '../../src/signing/verification/verify.ts';
import { credentials, fakeSource } from '../signing/helpers.ts';
import { md5 } from '../support/platform.ts';

const { secret } = credentials;

function signedBody(body: object): string {
  return signBody(JSON.stringify(body), credentials, {}, fakeSource).body;
}

/** The same body with the signature of another string. */
function withSignatureOf(body: string, message: string): string {
  const { sign } = JSON.parse(body) as { sign: string };
  return body.replace(sign, md5(message).toUpperCase());
}

it('the search names no mistake for 2,000 signatures that no signer made', () => {
  const rich = signedBody({ a: 'x y', n: 1.5, o: { k: '中/', list: [1, true] }, none: null });
  const plain = signedBody({ a: '1' });
  for (let round = 0; round < 2000; round++) {
    // Few searches run to their end; the others try the first fifty ways to sign.
    const isWhole = round % 400 === 0;
    const body = withSignatureOf(isWhole ? rich : plain, `nobody ${round}`);
    const { diagnosis, candidates, complete } = verifySignature({ body }, secret, {
      now: 1_795_132_800,
      ...(!isWhole && { effort: 60_000 }),
    });
    expect({ diagnosis, complete }).toEqual({ diagnosis: [], complete: isWhole });
    expect(candidates).toBeGreaterThan(isWhole ? 5000 : 50);
  }
});
