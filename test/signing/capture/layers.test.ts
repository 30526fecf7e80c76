import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import { readCapture, rightCapture } from '../../../src/signing/capture/read-capture.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { fakeSource } from '../helpers.ts';
import { nginxEscaped, type SentRequest, sent } from './printers.ts';
import { csv, html, octal, own, prefixed, pythonBytes, sql, wire, xxd } from './tools.ts';

/** The notations around a request. */
const LAYERS: Readonly<Record<string, (text: string) => string>> = {
  json: (text) => JSON.stringify({ time: 1, event: { note: text } }),
  indented: (text) => JSON.stringify({ items: [{ id: 1, value: text }] }, null, 2),
  csv: (text) => `id,text\n1,${csv(text)},2`,
  sql: (text) => `INSERT INTO a VALUES (1, ${sql(text)});`,
  html: (text) => `<p class="a">${html(text)}</p>`,
  percent: (text) => `a=1&text=${encodeURIComponent(text)}&c=2`,
  base64: (text) => `data: ${Buffer.from(text).toString('base64')};`,
  nginx: (text) => `127.0.0.1 "${nginxEscaped(text)}" 200`,
  octal: (text) => `write(5, "${octal(text)}", 300) = 300`,
  python: (text) => `DEBUG:root:text=${pythonBytes(text)}`,
  mail: (text) => `a wrote:\n${prefixed(text, '> ')}\n`,
  colours: (text) => `\u001b[1;39m${text}\u001b[0m`,
  numbers: (text) => `bytes: [${[...Buffer.from(text)].join(', ')}]`,
  xxd,
};

/** The innermost texts. */
const TEXTS: readonly ((request: SentRequest) => string)[] = [
  (request) => `POST ${request.path} headers=${JSON.stringify(Object.fromEntries(own(request)))} body=${request.body}`, // biome-ignore format: a line
  (request) => JSON.stringify({ headers: Object.fromEntries(own(request)), body: request.body }),
  (request) => wire(request).replaceAll('\r', ''),
];

const value = fc.string({
  unit: fc.constantFrom(...'ab1 \'"\\/&<>%+=:{}[]\n\t杭é🚕'),
  maxLength: 12,
});
const business = fc
  .record({
    city: value,
    list: fc.array(fc.record({ name: value }), { maxLength: 2 }),
    n: fc.nat(),
  })
  .map((fields) => JSON.stringify(fields));

it('a signed request within up to four layers is found with the same bytes', async () => {
  const layers = fc.array(fc.constantFrom(...Object.keys(LAYERS)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      business,
      fc.boolean(),
      fc.constantFrom(...TEXTS),
      layers,
      async (fields, isHeaderMode, print, names) => {
        const signed = signHeaders(fields, SANDBOX_CREDENTIALS, {}, fakeSource);
        const request = isHeaderMode
          ? sent('/api/open/x', fields, Object.entries(signed.headers))
          : sent('/open/v1/x', signBody(fields, SANDBOX_CREDENTIALS, {}, fakeSource).body);
        const text = names.reduce((inner, name) => LAYERS[name]?.(inner) ?? inner, print(request));
        const read = await rightCapture(await readCapture(text), SANDBOX_CREDENTIALS.secret, {});
        expect(read.body).toBe(request.body);
      },
    ),
    { seed: 20261127, numRuns: 300 },
  );
});
