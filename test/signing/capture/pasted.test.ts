import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { readCapture, rightCapture } from '../../../src/signing/capture/read-capture.ts';
import { hasRightSignature, verifySignature } from '../../../src/signing/verification/verify.ts';
import { failure } from './support.ts';

/** Captures in the form in which people have them; all are signed with the sandbox's secret. */
const FOLDER = `${import.meta.dirname}/pasted`;

/** The files that cannot be read, and a part of the reason. All others are right. */
const REFUSED: Readonly<Record<string, string>> = {
  '65-log-masked-sign.txt': 'the log masks the signature (sign=75860D******95AC78)',
  'v02-apigw-execution-log.txt': 'the body that it signs was not found',
  'v10-js-console-object.txt': 'an object of JavaScript (console.log, util.inspect)',
  'v28-charles-raw-truncated.txt': 'its JSON is cut off',
};

describe('a pasted capture is right, or is refused with the reason:', () => {
  it.each(readdirSync(FOLDER))('%s', async (name) => {
    const bytes = readFileSync(`${FOLDER}/${name}`);
    const reason = REFUSED[name];
    if (reason !== undefined) {
      expect(await failure(bytes)).toContain(reason);
      return;
    }
    const { secret } = SANDBOX_CREDENTIALS;
    const request = await rightCapture(await readCapture(bytes), secret, {});
    expect(hasRightSignature(verifySignature(request, secret, { effort: 0 }))).toBe(true);
  });
});
