// A signer with the habits of JavaScript programs. Reads jobs from stdin and writes the results to
// stdout.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A correct signer, except for numbers that JSON.parse changes. */
function rightSigner(job) {
  const headerMode = job.mode === 'header';
  const signer = {
    headerMode,
    secret: job.secret,
    otherSecret: job.other_secret,
    headers: job.headers.filter(([name]) => name.startsWith('X-TMS-')),
    business: job.body === undefined ? job.form : Object.entries(JSON.parse(job.body)),
    files: job.files ?? [],
    name: (name) => name,
    keep: (_name, value) => headerMode || value !== null,
    null: () => '',
    string: (value) => value,
    scalar: (value) => String(value),
    nested: (value) => JSON.stringify(value),
    text: (value) => {
      if (value === null) return signer.null();
      if (typeof value === 'string') return signer.string(value);
      return typeof value === 'object' ? signer.nested(value) : signer.scalar(value);
    },
    sort: (pairs) => pairs.sort(([a], [b]) => (a < b ? -1 : 1)),
    join: (pairs) => pairs.map(([name, text]) => `${name}=${text}`).join('&'),
    seal: (src1) => src1 + signer.secret,
    charset: 'utf8',
    digest: (src1) => createHash('md5').update(signer.seal(src1), signer.charset),
    hex: (digest) => digest.digest('hex').toUpperCase(),
  };
  return signer;
}

/** Wraps a step: the habit changes its result. */
function after(signer, step, change) {
  const inner = signer[step];
  signer[step] = (value) => change(inner(value));
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const habits = {
  // A line of .env read by split('=') keeps the space or the quotes around the value
  'secret-space': (s) => {
    s.secret = ` ${s.secret}`;
  },
  'secret-quotes': (s) => {
    s.secret = `"${s.secret}"`;
  },
  'secret-of-staging': (s) => {
    s.secret = s.otherSecret;
  },
  'secret-in-front': (s) => {
    s.seal = (src1) => s.secret + src1;
  },
  'secret-joined': (s) => {
    s.seal = (src1) => `${src1}&secret=${s.secret}`;
  },
  'secret-as-parameter': (s) => {
    s.business.push(['secret', s.secret]);
    s.seal = (src1) => src1;
  },

  // if (value) treats 0 and false as empty
  'falsy-dropped': (s) => {
    s.keep = (_name, value) => Boolean(value);
  },
  // if (value !== '')
  'empty-string-dropped': (s) => {
    s.keep = (_name, value) => value !== '' && value !== null;
  },
  // `${null}`
  'template-null': (s) => {
    s.keep = () => true;
    s.null = () => 'null';
  },
  // value ?? ''
  'null-to-empty': (s) => {
    s.keep = () => true;
  },
  'sign-null': (s) => {
    s.business.push(['sign', 'null']);
  },
  'sign-header-empty': (s) => {
    s.headers.push(['X-TMS-Sign', '']);
  },
  // Nested values are skipped, as if they were not signed
  'scalars-only': (s) => {
    s.keep = (_name, value) => typeof value !== 'object';
  },
  // Only the headers of the documents' table
  'known-headers': (s) => {
    const known = ['Sign-Ver', 'Api-Key', 'Timestamp', 'Seq-Id', 'Nonce'];
    s.headers = s.headers.filter(([name]) => known.includes(name.replace('X-TMS-', '')));
  },
  'nonce-header-unsigned': (s) => {
    s.headers = s.headers.filter(([name]) => name !== 'X-TMS-Nonce');
  },
  'file-name': (s) => {
    s.business.push(...s.files.map((file) => [file.name, file.filename]));
  },
  'other-protocol': (s) => {
    const names = { api_key: 'Api-Key', seq_id: 'Seq-Id', timestamp: 'Timestamp', nonce: 'Nonce' };
    if (s.headerMode) {
      const value = new Map(s.headers);
      s.headers = Object.entries(names)
        .map(([name, title]) => [name, value.get(`X-TMS-${title}`)])
        .filter(([, text]) => text !== undefined);
      s.keep = (_name, text) => text !== null;
    } else {
      s.business = s.business.map(([name, text]) => [
        name in names ? `X-TMS-${names[name]}` : name,
        text,
      ]);
      s.business.push(['X-TMS-Sign-Ver', '2.0']);
      s.keep = () => true;
    }
  },

  'insertion-order': (s) => {
    s.sort = (pairs) => pairs;
  },
  // { ...body, ...headers }
  'body-then-headers': (s) => {
    s.sort = (pairs) => {
      const isHeader = ([name]) => name.startsWith('X-TMS-');
      return [...pairs.filter((pair) => !isHeader(pair)), ...pairs.filter(isHeader)];
    };
  },
  'to-lower-case': (s) => {
    s.sort = (pairs) => pairs.sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  },
  'locale-compare': (s) => {
    s.sort = (pairs) => pairs.sort(([a], [b]) => a.localeCompare(b, 'en'));
  },
  'intl-collator': (s) => {
    s.sort = (pairs) => pairs.sort(([a], [b]) => new Intl.Collator('en-US').compare(a, b));
  },
  // request.headers of node:http
  'node-headers': (s) => {
    s.name = (name) => (name.startsWith('X-TMS-') ? name.toLowerCase() : name);
  },

  // `${value}`: objects are [object Object], arrays lose their brackets
  'template-object': (s) => {
    s.nested = (value) => `${value}`;
  },
  // qs.stringify(value, { allowDots: true, encode: false })
  'dotted-paths': (s) => {
    const flat = ([name, value]) =>
      value !== null && typeof value === 'object'
        ? Object.entries(value).flatMap(([key, item]) =>
            flat([Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`, item]),
          )
        : [[name, value]];
    s.business = s.business.flatMap(flat);
  },
  'stringify-indented': (s) => {
    s.nested = (value) => JSON.stringify(value, null, 2);
  },
  // JSON.stringify made safe for a <script> element
  'slash-escaped': (s) => {
    after(s, 'nested', (text) => text.replaceAll('/', '\\/'));
  },
  'ascii-json': (s) => {
    after(s, 'nested', (text) =>
      text.replace(
        /[\u0080-\uffff]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    );
  },
  'stringify-every-value': (s) => {
    s.string = (value) => JSON.stringify(value);
  },
  // JSON.parse reads 120.0 as 120 and rounds a number of 19 digits
  'parsed-numbers': () => {},
  'bits-for-booleans': (s) => {
    const scalar = s.scalar;
    s.scalar = (value) => (typeof value === 'boolean' ? String(Number(value)) : scalar(value));
  },
  'encode-uri-component': (s) => after(s, 'text', encodeURIComponent),
  // Encoded by the signer and again by a helper
  'encoded-twice': (s) => after(s, 'text', (text) => encodeURIComponent(encodeURIComponent(text))),
  'encoded-whole': (s) => after(s, 'join', encodeURIComponent),
  'html-escaped': (s) => after(s, 'text', (text) => text.replace(/[&<>"']/g, (c) => entities[c])),
  'crlf-newlines': (s) => after(s, 'string', (text) => text.replace(/\r?\n/g, '\r\n')),
  nfd: (s) => after(s, 'text', (text) => text.normalize('NFD')),

  // update(text, 'binary')
  'binary-string': (s) => {
    s.charset = 'latin1';
  },
  'lower-hex': (s) => {
    s.hex = (digest) => digest.digest('hex');
  },
  'hmac-md5': (s) => {
    s.digest = (src1) => createHmac('md5', s.secret).update(src1, s.charset);
  },
  sha256: (s) => {
    s.digest = (src1) => createHash('sha256').update(s.seal(src1), s.charset);
  },

  // Names in the style of object properties
  'camel-case': (s) => {
    s.name = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  },
  // One function signs requests of both versions, so X-TMS-Api-Key becomes api_key
  'v1-names': (s) => {
    const snake = (name) => name.slice('X-TMS-'.length).replaceAll('-', '_').toLowerCase();
    s.name = (name) => (name.startsWith('X-TMS-') ? snake(name) : name);
  },
  // Milliseconds of Date.now() are signed, seconds are sent
  'date-now': (s) => signedAs(s, 'X-TMS-Timestamp', (seconds) => `${seconds}437`),
  // An interceptor makes the nonce after signing
  'nonce-undefined': (s) => signedAs(s, 'nonce', () => 'undefined'),
  // Every header of the request is signed
  'content-type': (s) => s.headers.push(['Content-Type', 'application/json']),
  'array-to-string': (s) => {
    const { nested } = s;
    s.nested = (value) => (Array.isArray(value) ? String(value) : nested(value));
  },
  'to-locale-string': (s) => signedAs(s, 'distance', (metres) => metres.toLocaleString('en-US')),
  // Buffer.from(secret, 'base64')
  'secret-decoded': (s) => {
    s.digest = (src1) => createHash('md5').update(src1).update(Buffer.from(s.secret, 'base64'));
  },
  'digest-base64': (s) => {
    s.hex = (digest) => digest.digest('base64');
  },
  // Array.from(bytes, (byte) => byte.toString(16))
  'bytes-unpadded': (s) => {
    s.hex = (digest) =>
      Array.from(digest.digest(), (byte) => byte.toString(16))
        .join('')
        .toUpperCase();
  },
};

/** Signs a field or header with a text that differs from the one sent. */
function signedAs(s, wanted, change) {
  const changed = ([name, value]) => [name, name === wanted ? change(value) : value];
  s.headers = s.headers.map(changed);
  s.business = s.business.map(changed);
}

function run(job) {
  const signer = rightSigner(job);
  for (const name of job.habits) habits[name](signer);
  const fields = [...signer.headers, ...signer.business];
  const pairs = signer.sort(
    fields
      .filter(([name, value]) => signer.keep(name, value))
      .map(([name, value]) => [signer.name(name), signer.text(value)]),
  );
  const canonical = signer.join(pairs);
  return { canonical, sign: signer.hex(signer.digest(canonical)) };
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(run)));
