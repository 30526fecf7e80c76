import {
  COMMON_FIELDS,
  type CommonField,
  HEADER_OF_FIELD,
  isCommonField,
  SIGN_HEADERS,
} from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import { asDocumented, capitalizedName } from '../../header-name.ts';
import type { Field } from '../../received-request.ts';
import { type Evidence, RARE, UNCOMMON, USUAL, type Variant } from '../mistake.ts';
import { joinPairs } from '../signer.ts';
import { type Row, table } from '../steps.ts';
import { VERSION } from './fields.ts';

/** The names under which fields are signed, and the rules of the other mode (D1 5.2). */

type Spell = (name: string) => string;
type Test = (field: Field) => boolean;

/** Spellings of names that languages and libraries produce. */
const SPELLINGS: readonly (readonly [how: string, spell: Spell])[] = [
  ['in camelCase', camelCase],
  [
    'in camelCase, capital letters kept',
    (name) => name.replace(/[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ],
  ['in lower case', (name) => name.toLowerCase()],
  ['in upper case', (name) => name.toUpperCase()],
  ['in PascalCase', (name) => capitalized(camelCase(name))],
  ['in snake_case', snakeCase],
  ['in kebab-case', (name) => snakeCase(name).replaceAll('_', '-')],
  ['with a capital letter', capitalized],
  ['without "_"', (name) => name.replaceAll('_', '')],
  ['in UPPER_CASE', (name) => snakeCase(name).toUpperCase()],
  ['in double quotes', (name) => `"${name}"`],
  ...['params', 'data', 'body', 'form'].flatMap((outer): [string, Spell][] => [
    [`as ${outer}[…]`, (name) => `${outer}[${name}]`],
    [`as ${outer}.…`, (name) => `${outer}.${name}`],
  ]),
];

/** Spellings of header names in other schemes. */
const HEADER_SPELLINGS: readonly (readonly [how: string, cost: number, spell: Spell])[] = [
  ['without the prefix X-TMS-, as fields of body mode (api_key)', USUAL, fieldName],
  ['without the prefix X-TMS-', 3, withoutPrefix],
  ['without the prefix X-TMS-, in lower case', 3, (name) => withoutPrefix(name).toLowerCase()],
  ['without the prefix X-TMS-, in camelCase', 3, (name) => camelCase(withoutPrefix(name))],
  ['in camelCase (xTmsApiKey)', RARE, camelCase],
  ['without the prefix X-', RARE, (name) => name.replace(/^x-/i, '')],
  ['with "_" for "-"', RARE, (name) => name.replaceAll('-', '_')],
  ['in lower case with "_" for "-"', 3, (name) => name.replaceAll('-', '_').toLowerCase()],
  ['in upper case with "_" for "-"', RARE, (name) => name.replaceAll('-', '_').toUpperCase()],
  ['as CGI spells them (HTTP_X_TMS_API_KEY)', RARE, cgiName],
  ['with ":" after them', RARE, (name) => `${name}:`],
];

/** Names of the common fields on other platforms. */
const ALIASES: { readonly [field in CommonField]: string } = {
  api_key: 'app_key appKey appkey key app_id appId appid access_key accessKey ak client_id',
  timestamp: 'ts time t timeStamp time_stamp',
  nonce: 'nonce_str nonceStr noncestr random rand nonce_string',
  seq_id: 'seq seq_no seqNo sequence_id request_id requestId req_id reqId trace_id',
};

/** Names that resemble the documented header. */
const HEADER_ALIASES: { readonly [field in CommonField]: string } = {
  api_key: 'X-TMS-ApiKey X-TMS-Apikey X-TMS-App-Key X-TMS-Key',
  timestamp: 'X-TMS-TimeStamp X-TMS-Time X-TMS-Ts',
  nonce: 'X-TMS-Nonce-Str X-TMS-Random',
  seq_id: 'X-TMS-SeqId X-TMS-Seqid X-TMS-Seq X-TMS-Request-Id',
};
const VERSION_ALIASES = 'X-TMS-Version X-TMS-Sign-Version version sign_ver sign_version';

/** The version beside renamed headers: body mode has no field for it. */
const VERSION_NAMES = [
  { suffix: '', added: 0, rename: (renamed: string) => renamed },
  { suffix: ' without the version', added: 1, rename: () => undefined },
  { suffix: ', the version as version', added: 1, rename: () => 'version' },
  { suffix: ` except ${SIGN_HEADERS.version}`, added: 1, rename: () => SIGN_HEADERS.version },
];

const SCOPES: readonly (readonly [subject: string, applies: Test])[] = [
  ['all fields', ({ source }) => source !== 'header'],
  ['the common fields', ({ source }) => source === 'common'],
  ['the business fields', ({ source }) => source === 'business'],
];

export const NAMES_CHANGED = table('names-changed', 'fields', '', [
  ...SCOPES.flatMap(([subject, applies], index) =>
    SPELLINGS.map(([how, spell]) =>
      renamed(`the names of ${subject} were signed ${how}`, index + USUAL, spell, applies),
    ),
  ),
  ...HEADER_SPELLINGS.flatMap(([how, cost, spell]) =>
    VERSION_NAMES.map(
      ({ suffix, added, rename }): Row<'fields'> => [
        `the names of the headers were signed ${how}${suffix}`,
        cost + added,
        (fields) =>
          fields.flatMap((field) => {
            if (field.source !== 'header') return [field];
            const name = isVersion(field) ? rename(spell(field.name)) : spell(field.name);
            return name === undefined ? [] : [{ ...field, name }];
          }),
      ],
    ),
  ),
  ...COMMON_FIELDS.flatMap((common) => [
    ...aliases(common, ALIASES[common], (field) => commonNameOf(field) === common),
    ...aliases(
      HEADER_OF_FIELD[common],
      `${common} ${HEADER_ALIASES[common]}`,
      (field) => field.source === 'header' && commonNameOf(field) === common,
    ),
  ]),
  ...aliases(SIGN_HEADERS.version, VERSION_ALIASES, isVersion),
]);

function aliases(subject: string, names: string, applies: Test): readonly Row<'fields'>[] {
  return names
    .split(' ')
    .map((alias) =>
      renamed(`${subject} was signed under the name ${alias}`, UNCOMMON, () => alias, applies),
    );
}

function renamed(title: string, cost: number, spell: Spell, applies: Test): Row<'fields'> {
  return [
    title,
    cost,
    (fields) =>
      fields.map((field) => (applies(field) ? { ...field, name: spell(field.name) } : field)),
  ];
}

/** A single field under another spelling of its name. */
export function oneFieldRenamed({ fields, signatureName }: Evidence): readonly Variant[] {
  return fields
    .filter(({ name, source }) => name !== signatureName && source !== 'header')
    .flatMap(({ name, position }) => {
      const others = new Set(SPELLINGS.map(([, spell]) => spell(name)));
      others.delete(name);
      const rows = [...others].map((other) =>
        renamed(
          `${name} was signed under the name ${other}`,
          /^\w+$/.test(other) ? UNCOMMON : RARE,
          () => other,
          (field) => field.position === position,
        ),
      );
      return table('names-changed', 'fields', '', rows);
    });
}

/** Two fields of one kind, each signed under the name of the other. */
export function namesExchanged({ fields, signatureName }: Evidence): readonly Variant[] {
  const own = fields.filter(({ name }) => name !== signatureName);
  if (own.length > MAX_EXCHANGED) return [];
  const rows = own.flatMap((first, index) =>
    own
      .slice(index + 1)
      .filter(({ source }) => source === first.source)
      .map((second) =>
        renamed(
          `${first.name} and ${second.name} were signed under each other's name`,
          UNCOMMON,
          (name) => (name === first.name ? second.name : first.name),
          ({ position }) => position === first.position || position === second.position,
        ),
      ),
  );
  return table('names-changed', 'fields', '', rows);
}

/** More fields give too many combinations. */
const MAX_EXCHANGED = 40;

export const HEADER_NAME_CASE = table(
  'header-name-case',
  'fields',
  'the names of the headers were',
  [
    ofHeaders('signed as the documents spell them', USUAL, asDocumented),
    ofHeaders('signed in lower case', USUAL, (name) => name.toLowerCase()),
    ofHeaders('signed in upper case', USUAL, (name) => name.toUpperCase()),
    ofHeaders('signed as Go spells them (X-Tms-Api-Key)', USUAL, capitalizedName),
  ],
).concat(
  table('header-name-case', 'join', 'the names of the headers were', [
    [
      'signed in lower case, after sorting',
      RARE,
      (pairs) =>
        joinPairs(
          pairs.map((pair) =>
            pair.source === 'header' ? { ...pair, name: pair.name.toLowerCase() } : pair,
          ),
        ),
    ],
  ]),
);

/** The case in which the headers arrived. */
export function headerNamesAsSent({ respelled }: Evidence): readonly Variant[] {
  const sent = new Map(respelled.map((name) => [name.signed, name.sent]));
  const how = 'signed in the case in which they arrived';
  return table('header-name-case', 'fields', 'the names of the headers were', [
    ofHeaders(how, RARE, (name) => sent.get(name) ?? name),
  ]);
}

function ofHeaders(how: string, cost: number, spell: Spell): Row<'fields'> {
  return renamed(how, cost, spell, ({ source }) => source === 'header');
}

const BODY_BY_HEADER_RULES = 'a request of body mode was signed by the rules of header mode';
const HEADER_BY_BODY_RULES = 'a request of header mode was signed by the rules of body mode';

/** The rules of the other mode. Null follows the rule of either mode. */
export function wrongScheme({ mode, fields }: Evidence): readonly Variant[] {
  if (mode === 'header') return otherMode(HEADER_BY_BODY_RULES, asBodyFields, undefined);
  const headers = fields.filter(({ source }) => source === 'header');
  return [
    ...otherMode(BODY_BY_HEADER_RULES, (signed) => [VERSION, ...asHeaders(signed)], ''),
    ...otherMode(`${BODY_BY_HEADER_RULES}, without ${VERSION.name}`, asHeaders, ''),
    ...table('wrong-scheme', 'fields', '', [
      [
        'the X-TMS-* headers of a request of body mode were signed',
        USUAL,
        (signed) => [...headers, ...signed],
      ],
    ]),
  ];
}

function otherMode(
  title: string,
  change: (fields: readonly Field[]) => readonly Field[],
  nullText: string | undefined,
): readonly Variant[] {
  return table('wrong-scheme', 'signer', '', [
    [
      title,
      USUAL,
      (signer) => signer.with({ fields: change(signer.steps.fields) }).withStyle({ nullText }),
      { fields: [] },
    ],
    [
      `${title}, except null`,
      USUAL,
      (signer) => signer.with({ fields: change(signer.steps.fields) }),
      { fields: [] },
    ],
  ]);
}

/** Headers as the common fields of body mode. */
function asBodyFields(fields: readonly Field[]): readonly Field[] {
  return fields.flatMap((field): readonly Field[] => {
    if (field.source !== 'header') return [field];
    const name = commonNameOf(field);
    return name === undefined ? [] : [{ ...field, name, source: 'common' }];
  });
}

/** Common fields as the headers of header mode. */
function asHeaders(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) =>
    isCommonField(field.name)
      ? { ...field, name: HEADER_OF_FIELD[field.name], source: 'header' }
      : field,
  );
}

function commonNameOf({ name, source }: Field): CommonField | undefined {
  if (source === 'business') return undefined;
  return COMMON_FIELDS.find((common) =>
    source === 'common' ? common === name : sameName(HEADER_OF_FIELD[common], name),
  );
}

function isVersion({ name, source }: Field): boolean {
  return source === 'header' && sameName(name, SIGN_HEADERS.version);
}

function withoutPrefix(name: string): string {
  return name.replace(/^x-tms-/i, '');
}

function fieldName(header: string): string {
  return withoutPrefix(header).replaceAll('-', '_').toLowerCase();
}

function cgiName(header: string): string {
  return `HTTP_${header.replaceAll('-', '_').toUpperCase()}`;
}

function camelCase(name: string): string {
  const parts = name.split(/[_-]+/).filter((part) => part !== '');
  if (parts.length < 2) return name.charAt(0).toLowerCase() + name.slice(1);
  return parts
    .map((part, index) => (index === 0 ? part.toLowerCase() : capitalized(part.toLowerCase())))
    .join('');
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
