import { MopError } from '../../errors.ts';
import { SIGNATURE_MODES, type SignatureMode } from '../../protocol/operations.ts';
import { signBody } from '../../signing/body-mode.ts';
import { signHeaders } from '../../signing/header-mode.ts';
import type { Credentials, RequestFields } from '../../signing/request-fields.ts';
import { type Finding, failed, ok } from './finding.ts';

/** A request whose signatures were computed by another program. */
const KNOWN = {
  body: '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}',
  credentials: { apiKey: 'k-00', secret: '0123456789abcdef0123456789abcdef' },
  fields: {
    timestamp: 1795132800,
    nonce: 'abcdefghij',
    seqId: '9b2f1c1e-6f0a-4d0b-9a55-0f5d7a1f3c21',
  },
  signs: {
    body: 'A5F845EF7C5857D6C402189C5E0E3D9B',
    header: '456510661F93F9739EBF56F7BDBB4CED',
  },
} as const;

type Signer = (
  body: string,
  credentials: Credentials,
  fields: RequestFields,
) => { readonly sign: string };

/** The check `signing`: a known request gets its known signature in both modes (D1 section 5). */
export function examineSigning(
  signers: Readonly<Record<SignatureMode, Signer>> = { body: signBody, header: signHeaders },
): Finding {
  const { body, credentials, fields, signs } = KNOWN;
  const wrong = SIGNATURE_MODES.filter(
    (mode) => signers[mode](body, credentials, fields).sign !== signs[mode],
  );
  if (wrong.length === 0) return ok('the signatures of a known request are correct');
  return failed(
    new MopError('failure', `wrong signatures in ${wrong.join(' and ')} mode`, {
      hint: 'this installation is broken: install mop again; if that does not help, report the fault',
    }),
  );
}
