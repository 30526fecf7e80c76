import { describe, expect, it } from 'vitest';
import { examineSigning } from '../../../src/platform/doctor/signing.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import vectors from '../../signing/vectors/signing.json' with { type: 'json' };

describe('examineSigning', () => {
  it('accepts this installation', () => {
    expect(examineSigning().state).toBe('ok');
  });

  it('accepts the signatures of a vector', () => {
    const [vector] = vectors;
    const signer =
      (mode: 'body_mode' | 'header_mode'): typeof signBody =>
      (body, credentials, fields) => {
        expect({ body, ...credentials, ...fields }).toEqual({
          body: vector?.body,
          apiKey: vector?.api_key,
          secret: vector?.secret,
          timestamp: vector?.timestamp,
          nonce: vector?.nonce,
          seqId: vector?.seq_id,
        });
        return { ...signBody(body, credentials, fields), sign: vector?.[mode].sign ?? '' };
      };
    const signers = { body: signer('body_mode'), header: signer('header_mode') };
    expect(examineSigning(signers).state).toBe('ok');
  });

  it('names the mode with wrong signatures', () => {
    const wrong = () => ({ sign: '0'.repeat(32) });
    const finding = examineSigning({ body: signBody, header: wrong });
    expect(finding).toMatchObject({
      state: 'failed',
      detail: 'wrong signatures in header mode',
      error: { code: 'failure' },
    });
    const both = examineSigning({ body: wrong, header: wrong });
    expect(both.detail).toBe('wrong signatures in body and header mode');
    expect(examineSigning({ body: wrong, header: signHeaders }).detail).toContain('body mode');
  });
});
