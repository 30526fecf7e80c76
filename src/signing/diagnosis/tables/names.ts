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
import {
  type Evidence,
  fewFields,
  mistake,
  RARE,
  type Table,
  UNCOMMON,
  USUAL,
} from '../mistake.ts';
import { joinPairs, type Signer } from '../signer.ts';
import {
  type Convert,
  camelName,
  capitalized,
  changeOf,
  each,
  lowerCase,
  type Row,
  type Rows,
  rowsOf,
  type TextChange,
  table,
  upperCase,
} from '../steps.ts';
import { type FieldChange, isHeader, VERSION } from './fields.ts';
import PLATFORMS from './other-platforms.json' with { type: 'json' };

// The names under which fields are signed, and the rules of the other mode (D1 5.2).

type Test = (field: Field) => boolean;

const HEADERS_SIGNED = 'the names of the headers were signed';

const SPELLINGS: Readonly<Record<string, TextChange>> = {
  'in camelCase': camelCase,
  'in camelCase, capital letters kept': camelName,
  'in lower case': lowerCase,
  'in upper case': upperCase,
  'in PascalCase': (name) => capitalized(camelCase(name)),
  'in snake_case': snakeCase,
  'in kebab-case': (name) => snakeCase(name).replaceAll('_', '-'),
  'with a capital letter': capitalized,
  'without "_"': [/_/g, ''],
  'in UPPER_CASE': (name) => snakeCase(name).toUpperCase(),
  'in double quotes': '"V"',
  ...Object.fromEntries(
    ['params[V]', 'params.V', 'data[V]', 'data.V', 'body[V]', 'body.V', 'form[V]', 'form.V'].map(
      (sample) => [`as ${sample.replace('V', '…')}`, sample],
    ),
  ),
};

const underscored: Convert = (name) => name.replaceAll('-', '_');
const withoutPrefix: Convert = (name) => name.replace(/^x-tms-/i, '');

const HEADER_SPELLINGS: Rows<TextChange> = {
  [USUAL]: {
    'without the prefix X-TMS-, as fields of body mode (api_key)': (name) =>
      underscored(withoutPrefix(name)).toLowerCase(),
  },
  3: {
    'without the prefix X-TMS-': withoutPrefix,
    'without the prefix X-TMS-, in lower case': (name) => withoutPrefix(name).toLowerCase(),
    'without the prefix X-TMS-, in camelCase': (name) => camelCase(withoutPrefix(name)),
    'in lower case with "_" for "-"': (name) => underscored(name).toLowerCase(),
  },
  [RARE]: {
    'in camelCase (xTmsApiKey)': camelCase,
    'without the prefix X-': [/^x-/i, ''],
    'with "_" for "-"': underscored,
    'in upper case with "_" for "-"': (name) => underscored(name).toUpperCase(),
    'as CGI spells them (HTTP_X_TMS_API_KEY)': (name) => `HTTP_${underscored(name).toUpperCase()}`,
    'with ":" after them': 'V:',
  },
};

function renamed(spelling: TextChange, applies: Test): FieldChange {
  const spell = changeOf(spelling);
  return (fields) =>
    fields.map((field) => (applies(field) ? { ...field, name: spell(field.name) } : field));
}

const SCOPES: readonly (readonly [subject: string, cost: number, applies: Test])[] = [
  ['all fields', 2, ({ source }) => source !== 'header'],
  ['the common fields', 3, ({ source }) => source === 'common'],
  ['the business fields', 4, ({ source }) => source === 'business'],
];

export const namesChanged = mistake(
  'names-changed',
  [
    ...SCOPES.map(([subject, cost, applies]) =>
      table(
        'fields',
        `the names of ${subject} were signed`,
        Object.entries(SPELLINGS).map(([how, spell]) => [how, cost, renamed(spell, applies)]),
      ),
    ),
    headerTable(HEADER_SPELLINGS),
    // Body mode has no field for the version.
    headerTable(HEADER_SPELLINGS, true),
    ...COMMON_FIELDS.map((common) =>
      otherNames(common, PLATFORMS.fieldNames[common], (field) => commonNameOf(field) === common),
    ),
    otherNames(SIGN_HEADERS.version, PLATFORMS.versionNames, isVersion),
  ],
  { 'the name of a single field was signed in one of these spellings': oneFieldRenamed },
);

function headerTable(
  rows: Rows<TextChange> | readonly Row<TextChange>[],
  isWithoutVersion = false,
): Table {
  return table(
    'fields',
    HEADERS_SIGNED,
    rowsOf(rows).map(([how, cost, spell]) => {
      const change = renamed(spell, isHeader);
      if (!isWithoutVersion) return [how, cost, change];
      const others: FieldChange = (fields) => change(fields.filter((field) => !isVersion(field)));
      return [`${how} without the version`, cost + 1, others];
    }),
  );
}

function otherNames(subject: string, names: readonly string[], applies: Test): Table {
  const rows = each(UNCOMMON, '*', names, (name) => renamed(() => name, applies));
  return table('fields', `${subject} was signed under the name`, rows);
}

function oneFieldRenamed(evidence: Evidence): Table {
  return fewFields(evidence)
    .filter(({ name, source }) => name !== evidence.signatureName && source !== 'header')
    .flatMap(({ name, position }) => {
      const others = new Set(Object.values(SPELLINGS).map((spell) => changeOf(spell)(name)));
      return otherNames(name, [...others], (field) => field.position === position);
    });
}

export const headerNameCase = mistake(
  'header-name-case',
  [
    headerTable({
      [USUAL]: {
        'as the documents spell them': asDocumented,
        'in lower case': lowerCase,
        'in upper case': upperCase,
        'as Go spells them (X-Tms-Api-Key)': capitalizedName,
      },
    }),
    table('join', HEADERS_SIGNED, {
      [RARE]: {
        'in lower case, after sorting': (pairs) =>
          joinPairs(
            pairs.map(({ name, ...pair }) => ({
              ...{ ...pair, name: pair.source === 'header' ? name.toLowerCase() : name },
            })),
          ),
      },
    }),
  ],
  {
    'the names of the headers were signed in the case in which they arrived': ({ respelled }) => {
      const sent = new Map(respelled.map((name) => [name.signed, name.sent]));
      return headerTable([
        ['in the case in which they arrived', RARE, (name) => sent.get(name) ?? name],
      ]);
    },
  },
);

export const wrongScheme = mistake('wrong-scheme', [], {
  'the request was signed by the rules of the other mode': byOtherMode,
});

function byOtherMode({ mode, fields }: Evidence): Table {
  const other = mode === 'body' ? 'header' : 'body';
  const title = `a request of ${mode} mode was signed by the rules of ${other} mode`;
  if (mode === 'header') return byOtherRules(title, asBodyFields, undefined);
  const headers = fields.filter(({ source }) => source === 'header');
  return [
    ...byOtherRules(title, (signed) => [VERSION, ...asHeaders(signed)], ''),
    ...byOtherRules(`${title}, without ${VERSION.name}`, asHeaders, ''),
    ...table('fields', 'the X-TMS-* headers of a request of body mode', [
      ['were signed', USUAL, (signed) => [...headers, ...signed]],
    ]),
  ];
}

/** Null follows the rule of either mode. */
function byOtherRules(title: string, change: FieldChange, nullText: string | undefined): Table {
  const changed = (signer: Signer): Signer => signer.with({ fields: change(signer.steps.fields) });
  const rows = {
    '': (signer: Signer) => changed(signer).withStyle({ nullText }),
    ', except null': changed,
  };
  return table('signer', title, { [USUAL]: rows }, { fields: [] });
}

function asBodyFields(fields: readonly Field[]): readonly Field[] {
  return fields.flatMap((field): readonly Field[] => {
    if (field.source !== 'header') return [field];
    const name = commonNameOf(field);
    return name === undefined ? [] : [{ ...field, name, source: 'common' }];
  });
}

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
