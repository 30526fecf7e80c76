import { describe, expect, it } from 'vitest';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';
import { FILES, failure, PLAIN_BODY, readRight, SIGNED_BODY, SIGNED_HEADERS } from './support.ts';

const QUOTED = `'${SIGNED_BODY.replaceAll("'", "'\\''")}'`;
const HEADER = "--header='Content-Type: application/json'";

describe('wget commands', () => {
  it.each([
    ['POST', `wget -qO- ${HEADER} --post-data=${QUOTED} https://host/open/v1/x`],
    ['POST', `$ wget --post-data ${QUOTED} ${HEADER} -O - 'https://host/open/v1/x' | jq .`],
    [
      'PUT',
      `wget --method=put --body-data=${QUOTED} \\\n  ${HEADER} -T3 -- https://host/open/v1/x`,
    ],
    [
      'POST',
      `wget --quiet \\\n  --method POST \\\n  --timeout=0 \\\n  ${HEADER} \\\n  --body-data ${QUOTED} \\\n   'https://host/open/v1/x'`,
    ],
  ])('are read with %s: %s', async (method, text) => {
    expect(await readRight(text)).toMatchObject({
      format: 'wget',
      method,
      url: 'https://host/open/v1/x',
      headers: [['Content-Type', 'application/json']],
      body: SIGNED_BODY,
      notes: [],
    });
  });

  it('are read with signed headers', async () => {
    const headers = SIGNED_HEADERS.map(([name, value]) => `--header '${name}: ${value}'`).join(' ');
    const text = `wget ${headers} --post-data '${PLAIN_BODY}' https://host/api/open/x`;
    expect((await readRight(text)).headers).toEqual(SIGNED_HEADERS);
  });

  it.each([
    ['--post-file=body.json', '{"a":1,\r\n"b":2}\n'],
    ['--body-file one-line.json', '{"a":1}'],
    ['--post-file=- < one-line.json', '{"a":1}'],
  ])('are read with %s', async (option, body) => {
    expect((await readCapture(`wget u ${option}`, FILES)).body).toBe(body);
  });

  it.each([
    ['wget https://host/', 'it has no body'],
    ['wget u --post-data', 'the command ends after "--post-data", which takes an argument'],
    ['wget u --post-file missing', '--post-file: cannot read "missing"'],
    ["wget u --post-data '{", 'a single quote is not closed'],
  ])('%j is rejected', async (text, message) => {
    expect(await failure(text, FILES)).toContain(`read as a wget command: ${message}`);
  });
});
