import { readCapture, verifySignature } from 'mop-cli/signing';

/** A right signature of the sandbox in lower case, as curl sends it. */
const sign = '4b4b7e3a3f2f9e4d';
const command = `curl https://h.example/open/v1/x -d '{"a":1,"api_key":"sandbox","sign":"${sign}"}'`;
const { expected } = verifySignature(await readCapture(command), 'sandbox-secret', { effort: 0 });
const body = `{"a":1,"api_key":"sandbox","sign":"${expected.toLowerCase()}"}`;
console.log(
  verifySignature({ body }, 'sandbox-secret')
    .diagnosis.map(({ id }) => id)
    .join(),
);
