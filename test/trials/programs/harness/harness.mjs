/** Signs cases with the functions of sign.mjs; cases.ts describes its input and output. */
import { readFileSync, writeFileSync } from 'node:fs';

const encoded = (text) => Buffer.from(text).toString('base64');
const decoded = (field) => Buffer.from(field, 'base64').toString();

// The program without its last statement, which sends the request.
const program = readFileSync('sign.mjs', 'utf8');
writeFileSync('functions.mjs', program.slice(0, program.lastIndexOf('\nawait main()')));
const { signBody, signHeaders } = await import(`${process.cwd()}/functions.mjs`);

const sign = {
  body: (json, _, apiKey, secret) => encoded(signBody(json, apiKey, secret)),
  header: (json, given, apiKey, secret) => {
    const { headers, body } = signHeaders(json, given, apiKey, secret);
    const lines = Object.entries(headers).map((header) => header.join(': '));
    return `${encoded(body)}\t${encoded(lines.join('\n'))}`;
  },
}[process.argv[2]];

for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const [body, apiKey, secret, headers] = line.split('\t').map(decoded);
  const lines = headers.split('\n').filter(Boolean);
  const given = lines.map((header) => [header.split(': ', 1)[0], header.replace(/^.*?: /, '')]);
  try {
    console.log(sign(body, Object.fromEntries(given), apiKey, secret));
  } catch (error) {
    console.log(`error\t${encoded(error.message)}`);
  }
}
