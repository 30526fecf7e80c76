import {
  COMMON_FIELDS,
  type CommonField,
  HEADER_OF_FIELD,
  SIGN_HEADERS,
} from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import type { Field } from '../../received-request.ts';
import {
  type Evidence,
  type Mistake,
  RARE,
  UNCOMMON,
  USUAL,
  type Variant,
  withFields,
} from '../mistake.ts';

/** The names under which fields are signed. */

/** Spellings of names that languages and libraries produce. */
const SPELLINGS: readonly { readonly how: string; readonly spell: (name: string) => string }[] = [
  { how: 'in camelCase', spell: (name) => camelCase(name) },
  {
    how: 'in camelCase, capital letters kept',
    spell: (name) => name.replace(/[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
  },
  { how: 'in lower case', spell: (name) => name.toLowerCase() },
  { how: 'in upper case', spell: (name) => name.toUpperCase() },
  { how: 'in PascalCase', spell: (name) => capitalized(camelCase(name)) },
  { how: 'in snake_case', spell: (name) => snakeCase(name) },
  { how: 'in kebab-case', spell: (name) => snakeCase(name).replaceAll('_', '-') },
  { how: 'with a capital letter', spell: capitalized },
  { how: 'without "_"', spell: (name) => name.replaceAll('_', '') },
  { how: 'in UPPER_CASE', spell: (name) => snakeCase(name).toUpperCase() },
  { how: 'in double quotes', spell: (name) => `"${name}"` },
  ...['params', 'data', 'body', 'form'].flatMap((outer) => [
    { how: `as ${outer}[…]`, spell: (name: string) => `${outer}[${name}]` },
    { how: `as ${outer}.…`, spell: (name: string) => `${outer}.${name}` },
  ]),
];

/** Names of the common fields on other platforms. */
const ALIASES: { readonly [field in CommonField]: readonly string[] } = {
  api_key: [
    'app_key',
    'appKey',
    'appkey',
    'key',
    'app_id',
    'appId',
    'appid',
    'access_key',
    'accessKey',
    'ak',
    'client_id',
  ],
  timestamp: ['ts', 'time', 't', 'timeStamp', 'time_stamp'],
  nonce: ['nonce_str', 'nonceStr', 'noncestr', 'random', 'rand', 'nonce_string'],
  seq_id: [
    'seq',
    'seq_no',
    'seqNo',
    'sequence_id',
    'request_id',
    'requestId',
    'req_id',
    'reqId',
    'trace_id',
  ],
};

/** Names that resemble the documented header. */
const HEADER_ALIASES: { readonly [field in CommonField]: readonly string[] } = {
  api_key: ['X-TMS-ApiKey', 'X-TMS-Apikey', 'X-TMS-App-Key', 'X-TMS-Key'],
  timestamp: ['X-TMS-TimeStamp', 'X-TMS-Time', 'X-TMS-Ts'],
  nonce: ['X-TMS-Nonce-Str', 'X-TMS-Random'],
  seq_id: ['X-TMS-SeqId', 'X-TMS-Seqid', 'X-TMS-Seq', 'X-TMS-Request-Id'],
};

export const namesChanged: Mistake = {
  id: 'names-changed',
  fix: 'sign every field under exactly the name that is sent',
  variants: (evidence) => [
    ...spellingVariants(evidence),
    ...oneNameVariants(evidence),
    ...exchangedVariants(evidence),
    ...(evidence.mode === 'body' ? aliasVariants(evidence) : headerVariants()),
  ],
};

/** Two fields of one kind, each signed under the name of the other. */
function exchangedVariants({ fields, signatureName }: Evidence): readonly Variant[] {
  const own = fields.filter(({ name }) => name !== signatureName);
  if (own.length > MAX_EXCHANGED) return [];
  return own.flatMap((first, index) =>
    own
      .slice(index + 1)
      .filter(({ source }) => source === first.source)
      .map((second) => ({
        ...withFields(
          `${first.name} and ${second.name} were signed under each other's name`,
          (signed) =>
            signed.map((field) => {
              if (field.position === first.position) return { ...field, name: second.name };
              if (field.position === second.position) return { ...field, name: first.name };
              return field;
            }),
        ),
        family: "two fields were signed under each other's name",
        fields: [first.name, second.name],
        cost: UNCOMMON,
      })),
  );
}

/** More fields give too many combinations. */
const MAX_EXCHANGED = 40;

function spellingVariants({ fields, signatureName }: Evidence): readonly Variant[] {
  const scopes: readonly {
    readonly subject: string;
    readonly applies: (field: Field) => boolean;
  }[] = [
    { subject: 'all fields', applies: ({ source }) => source !== 'header' },
    { subject: 'the common fields', applies: ({ source }) => source === 'common' },
    { subject: 'the business fields', applies: ({ source }) => source === 'business' },
  ];
  const seen = new Set<string>();
  return scopes.flatMap(({ subject, applies }, index) =>
    SPELLINGS.flatMap(({ how, spell }): Variant[] => {
      const renamed = (field: Field): string => (applies(field) ? spell(field.name) : field.name);
      const signed = fields.filter(({ name }) => name !== signatureName);
      const names = signed.map(renamed).join('\n');
      if (seen.has(names) || signed.every((field) => renamed(field) === field.name)) return [];
      seen.add(names);
      return [
        {
          ...withFields(`the names of ${subject} were signed ${how}`, (all) =>
            all.map((field) => ({ ...field, name: renamed(field) })),
          ),
          family: `the names of all, common or business fields were signed ${how}`,
          cost: index + USUAL,
        },
      ];
    }),
  );
}

/** A single field under another spelling of its name. */
function oneNameVariants({ fields, signatureName }: Evidence): readonly Variant[] {
  return fields
    .filter(({ name, source }) => name !== signatureName && source !== 'header')
    .flatMap((field) => {
      const others = new Set(SPELLINGS.map(({ spell }) => spell(field.name)));
      others.delete(field.name);
      return [...others].map((other) => ({
        ...withFields(`${field.name} was signed under the name ${other}`, (all) =>
          all.map((each) => (each.position === field.position ? { ...each, name: other } : each)),
        ),
        family: 'the name of a single field was signed in one of these spellings',
        fields: [field.name],
        cost: /^\w+$/.test(other) ? UNCOMMON : RARE,
      }));
    });
}

function aliasVariants({ fields }: Evidence): readonly Variant[] {
  return COMMON_FIELDS.flatMap((name) =>
    fields.some((field) => field.source === 'common' && field.name === name)
      ? ALIASES[name].map((alias) => ({
          ...withFields(`${name} was signed under the name ${alias}`, (all) =>
            all.map((field) =>
              field.source === 'common' && field.name === name ? { ...field, name: alias } : field,
            ),
          ),
          family: `${name} was signed under the name ${ALIASES[name].join(', ')}`,
          fields: [name],
          cost: UNCOMMON,
        }))
      : [],
  );
}

/** Spellings of the header names in other schemes. The case changes only where `how` says so. */
const HEADER_SPELLINGS: readonly {
  readonly how: string;
  readonly spell: (name: string) => string;
  readonly cost: number;
}[] = [
  {
    how: 'without the prefix X-TMS-, as fields of body mode (api_key)',
    spell: (name) => withoutPrefix(name).replaceAll('-', '_').toLowerCase(),
    cost: USUAL,
  },
  { how: 'without the prefix X-TMS-', spell: withoutPrefix, cost: 3 },
  {
    how: 'without the prefix X-TMS-, in lower case',
    spell: (name) => withoutPrefix(name).toLowerCase(),
    cost: 3,
  },
  {
    how: 'without the prefix X-TMS-, in camelCase',
    spell: (name) => camelCase(withoutPrefix(name)),
    cost: 3,
  },
  { how: 'in camelCase (xTmsApiKey)', spell: camelCase, cost: RARE },
  { how: 'without the prefix X-', spell: (name) => name.replace(/^x-/i, ''), cost: RARE },
  { how: 'with "_" for "-"', spell: (name) => name.replaceAll('-', '_'), cost: RARE },
  {
    how: 'in lower case with "_" for "-"',
    spell: (name) => name.replaceAll('-', '_').toLowerCase(),
    cost: 3,
  },
  {
    how: 'in upper case with "_" for "-"',
    spell: (name) => name.replaceAll('-', '_').toUpperCase(),
    cost: RARE,
  },
  {
    how: 'as CGI spells them (HTTP_X_TMS_API_KEY)',
    spell: (name) => `HTTP_${name.replaceAll('-', '_').toUpperCase()}`,
    cost: RARE,
  },
  { how: 'with ":" after them', spell: (name) => `${name}:`, cost: RARE },
];

/** Names of the version header beside renamed headers: body mode has no field for the version. */
const VERSION_NAMES = [
  { suffix: '', name: undefined, isSigned: true },
  { suffix: ' without the version', name: undefined, isSigned: false },
  { suffix: ', the version as version', name: 'version', isSigned: true },
  { suffix: ` except ${SIGN_HEADERS.version}`, name: SIGN_HEADERS.version, isSigned: true },
] as const;

function headerVariants(): readonly Variant[] {
  const isVersion = ({ name }: Field): boolean => sameName(name, SIGN_HEADERS.version);
  return [
    ...HEADER_SPELLINGS.flatMap(({ how, spell, cost }) =>
      VERSION_NAMES.map(({ suffix, name, isSigned }, index) => ({
        ...withFields(`the names of the headers were signed ${how}${suffix}`, (all) =>
          all.flatMap((field) => {
            if (field.source !== 'header') return [field];
            if (!isVersion(field)) return [{ ...field, name: spell(field.name) }];
            return isSigned ? [{ ...field, name: name ?? spell(field.name) }] : [];
          }),
        ),
        family: `the names of the headers were signed ${how}`,
        cost: index === 0 ? cost : cost + 1,
      })),
    ),
    ...COMMON_FIELDS.flatMap((common) =>
      [common, ...ALIASES[common].slice(0, 4), ...HEADER_ALIASES[common]].map((alias) => ({
        ...withFields(`${HEADER_OF_FIELD[common]} was signed under the name ${alias}`, (all) =>
          all.map((field) =>
            field.source === 'header' && sameName(field.name, HEADER_OF_FIELD[common])
              ? { ...field, name: alias }
              : field,
          ),
        ),
        family: 'a single header was signed under another name, such as app_key or ts',
        fields: [HEADER_OF_FIELD[common]],
        cost: UNCOMMON,
      })),
    ),
    ...['X-TMS-Version', 'X-TMS-Sign-Version', 'version', 'sign_ver', 'sign_version'].map(
      (alias) => ({
        ...withFields(`${SIGN_HEADERS.version} was signed under the name ${alias}`, (all) =>
          all.map((field) =>
            field.source === 'header' && isVersion(field) ? { ...field, name: alias } : field,
          ),
        ),
        fields: [SIGN_HEADERS.version],
        cost: UNCOMMON,
      }),
    ),
  ];
}

function withoutPrefix(name: string): string {
  return name.replace(/^x-tms-/i, '');
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
