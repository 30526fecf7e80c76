import { hash } from 'node:crypto';
import type { JsonMember } from '../../../json/value.ts';
import { canonicalString, type Entry, sortedByName } from '../../canonical.ts';
import type { Field } from '../../received-request.ts';
import { type Evidence, type Mistake, RARE, USUAL, type Variant, withSteps } from '../mistake.ts';
import { jsonText, type PrintStyle, RIGHT_STYLE, SPACED_STYLE } from '../print-style.ts';
import { joinPairs, type Steps } from '../signer.ts';
import { commonValues } from './common-values.ts';
import { lowerEscape } from './nested.ts';

/** The JSON text of the body instead of its pairs, as payment platforms require. */

/** A text of the body. In header mode `pairs` contains only the headers, else all pairs. */
interface BodyText {
  readonly title: string;
  /** The line in docs/diagnosis.md, shared by several texts; default: the title. */
  readonly family?: string;
  readonly print: (pairs: readonly Entry[], steps: Steps) => string;
  readonly cost: number;
}

export const wholeBody: Mistake = {
  id: 'whole-body',
  readsEveryValue: true,
  fix: 'sign the sorted name=value pairs of the fields, not the JSON text of the body',
  variants: (evidence) => {
    const texts = bodyTexts(evidence);
    return evidence.mode === 'body'
      ? [...bodyVariants(texts), ...businessVariants(), ...commonValues(evidence, BUSINESS_TEXT)]
      : [...headerVariants(texts), ...headerValuesAndBody(evidence)];
  },
};

function bodyVariants(texts: readonly BodyText[]): readonly Variant[] {
  return texts.map(({ title, family = title, print, cost }) => ({
    family: `the JSON text of the body was signed instead of the pairs: ${family}`,
    ...withSteps(`the JSON text of the body was signed instead of the pairs, ${title}`, {
      join: print,
    }),
    fields: [],
    cost,
  }));
}

/** The names under which other platforms sign the business fields as one text. */
const BUSINESS_NAMES = [
  'data',
  'biz_content',
  'bizContent',
  'body',
  'params',
  'content',
  'payload',
];

/** The business fields as the JSON text of one field, beside the common fields (Alipay). */
function businessVariants(): readonly Variant[] {
  return BUSINESS_NAMES.flatMap((name) =>
    printedTexts().map(({ title, print }) => ({
      ...withSteps(`the business fields were signed as one field, as JSON: ${name}=, ${title}`, {
        join: (pairs: readonly Entry[], steps: Steps) => {
          const common = pairs.filter(({ source }) => source === 'common');
          const all = [
            ...common,
            { name, value: print(pairs, businessOnly(steps)), source: 'business' as const },
          ];
          return canonicalString(all);
        },
      }),
      family: `the business fields were signed as one field, as JSON: ${BUSINESS_NAMES.join(', ')}`,
      fields: [],
      cost: RARE,
    })),
  );
}

function businessOnly(steps: Steps): Steps {
  return { ...steps, fields: steps.fields.filter(({ source }) => source === 'business') };
}

const BUSINESS_TEXT = {
  title: 'the business fields as JSON',
  print: (pairs: readonly Entry[], steps: Steps) =>
    printer(AS_SENT, {})(pairs, businessOnly(steps)),
};

function headerValuesAndBody(evidence: Evidence): readonly Variant[] {
  const { body } = evidence.request;
  return typeof body === 'string'
    ? commonValues(evidence, { title: 'the body', print: () => body })
    : [];
}

/** Combinations of the headers and the text of the body in header mode. */
const COMBINATIONS: readonly {
  readonly title: string;
  readonly combine: (headers: string, body: string) => string;
  readonly cost: number;
}[] = [
  { title: 'appended to the headers', combine: (head, body) => head + body, cost: USUAL },
  {
    title: 'appended to the headers after "&"',
    combine: (head, body) => `${head}&${body}`,
    cost: USUAL,
  },
  ...['body', 'data', 'params', 'content', 'payload'].map((name) => ({
    title: `signed after the headers, as ${name}=`,
    combine: (head: string, body: string) => `${head}&${name}=${body}`,
    cost: name === 'body' ? USUAL : RARE,
  })),
  {
    title: 'signed in front of the headers, as body=',
    combine: (head, body) => `body=${body}&${head}`,
    cost: 3,
  },
  {
    title: 'appended to the headers on a new line',
    combine: (head, body) => `${head}\n${body}`,
    cost: 3,
  },
  { title: 'put in front of the headers', combine: (head, body) => body + head, cost: 3 },
  {
    title: 'put in front of the headers with "&" between',
    combine: (head, body) => `${body}&${head}`,
    cost: 3,
  },
  { title: 'signed without the headers', combine: (_, body) => body, cost: USUAL },
  {
    title: 'hashed with MD5 and appended to the headers after "&"',
    combine: (head, body) => `${head}&${hash('md5', body, 'hex')}`,
    cost: RARE,
  },
  ...['body', 'bodyMd5', 'body_md5', 'content_md5', 'contentMd5', 'Content-MD5'].map((name) => ({
    title: `hashed with MD5 and signed after the headers, as ${name}=`,
    combine: (head: string, body: string) => `${head}&${name}=${hash('md5', body, 'hex')}`,
    cost: RARE,
  })),
  ...(['hex', 'base64'] as const).map((encoding) => ({
    title: `hashed with MD5 and signed in front of the headers, as Content-MD5= in ${encoding === 'hex' ? 'hex' : 'Base64'}`,
    combine: (head: string, body: string) => `Content-MD5=${hash('md5', body, encoding)}&${head}`,
    cost: RARE,
  })),
];

function headerVariants(texts: readonly BodyText[]): readonly Variant[] {
  return texts.flatMap(({ title, print, cost }) =>
    COMBINATIONS.filter((combination) => Math.min(cost, combination.cost) === USUAL).map(
      (combination) => ({
        ...withSteps(`the JSON text of the body was ${combination.title}, ${title}`, {
          join: (pairs: readonly Entry[], steps: Steps) => {
            const headers = pairs.filter((pair) => pair.source === 'header');
            return combination.combine(joinPairs(headers), print(pairs, steps));
          },
        }),
        family: `in header mode, each of these texts was: ${combination.title}`,
        fields: [],
        cost: Math.max(cost, combination.cost),
      }),
    ),
  );
}

/** The JSON forms of serializers. */
const SERIALIZERS: readonly {
  readonly how: string;
  readonly changes: Partial<PrintStyle>;
}[] = [
  { how: '', changes: {} },
  { how: ', with ", " and ": " (json.dumps of Python)', changes: { layout: SPACED_STYLE.layout } },
  {
    how: ', with ", " and ": " and \\u escapes (json.dumps of Python)',
    changes: { layout: SPACED_STYLE.layout, escape: escapedUnicode },
  },
  { how: ', with \\u escapes', changes: { escape: escapedUnicode } },
  {
    how: ', with \\u escapes and "\\/" (json_encode of PHP)',
    changes: { escape: (quoted) => escapedUnicode(quoted).replaceAll('/', '\\/') },
  },
  { how: ', with "\\/" for "/"', changes: { escape: (quoted) => quoted.replaceAll('/', '\\/') } },
  {
    how: ', with \\u003c, \\u003e and \\u0026 (encoding/json of Go)',
    changes: { escape: (quoted) => quoted.replace(/[<>&\u2028\u2029]/g, lowerEscape) },
  },
  ...['  ', '    ', '\t'].map((indent) => ({
    how: `, indented by ${JSON.stringify(indent)}`,
    changes: { layout: { ...RIGHT_STYLE.layout, colon: ': ', lineEnd: '\n', indent } },
  })),
];

/** The printed members, and their order. */
interface Selection {
  readonly title: string;
  /** The levels whose names are sorted. */
  readonly sorted: 'none' | 'all' | 'outer' | 'listed';
  readonly dropsNull: boolean;
}

const AS_SENT: Selection = {
  title: 'in the order of the request',
  sorted: 'none',
  dropsNull: false,
};
const SELECTIONS: readonly Selection[] = [
  AS_SENT,
  { title: 'sorted by name', sorted: 'all', dropsNull: false },
  { title: 'in the order of the request, without null', sorted: 'none', dropsNull: true },
  { title: 'sorted by name, without null', sorted: 'all', dropsNull: true },
  // JSON.stringify(body, Object.keys(body).sort()): the list applies to nested objects too.
  {
    title: 'sorted by name, nested names filtered by the same list (JSON.stringify)',
    sorted: 'listed',
    dropsNull: false,
  },
  // A TreeMap of Java: the maps in it keep their order.
  { title: 'sorted by name outside nested JSON', sorted: 'outer', dropsNull: false },
  { title: 'sorted by name outside nested JSON, without null', sorted: 'outer', dropsNull: true },
];

/** The texts of this body: as sent, and reprinted by a signer. */
function bodyTexts({ request, mode }: Evidence): readonly BodyText[] {
  if (typeof request.body !== 'string') return [];
  const sent = mode === 'body' ? withoutSign(request.body) : request.body;
  const md5 = hash('md5', sent, 'hex');
  return [
    ...printedTexts(),
    { title: 'with the characters that were sent', print: () => sent, cost: USUAL },
    { title: 'as its MD5 in upper case', print: () => md5.toUpperCase(), cost: RARE },
    { title: 'as its MD5 in lower case', print: () => md5, cost: RARE },
    { title: 'as Base64', print: () => Buffer.from(sent).toString('base64'), cost: RARE },
  ];
}

/** The texts that serializers print. */
function printedTexts(): readonly BodyText[] {
  return SELECTIONS.flatMap((selection) =>
    SERIALIZERS.filter(({ how }) => how === '' || selection.sorted !== 'listed').map(
      ({ how, changes }) => ({
        title: selection.title + how,
        family: how === '' ? selection.title : `printed again${how}`,
        print: printer(selection, changes),
        cost: textCost(selection, how),
      }),
    ),
  );
}

/** A serializer that escapes or adds spaces often reprints numbers too. */
function textCost({ dropsNull }: Selection, how: string): number {
  if (dropsNull || how.startsWith(', indented')) return 5;
  return how === '' ? USUAL : 4;
}

function printer(
  { sorted, dropsNull }: Selection,
  changes: Partial<PrintStyle>,
): BodyText['print'] {
  return (_, { fields, style }) => {
    const members = (sorted === 'none' ? byPosition(fields) : fields).filter(
      ({ source, value }) => source !== 'header' && !(dropsNull && value.kind === 'null'),
    );
    const names = new Set(members.map(({ name }) => name));
    const own = {
      ...style,
      ...changes,
      ...(sorted === 'all' && { memberOrder: sortedByName }),
      ...(sorted === 'listed' && {
        memberOrder: (inner: readonly JsonMember[]) =>
          sortedByName(inner).filter(({ name }) => names.has(name)),
      }),
    };
    return jsonText({ kind: 'object', members }, own);
  };
}

function escapedUnicode(quoted: string): string {
  return quoted.replace(/[^\0-\x7f]/g, lowerEscape);
}

function byPosition(fields: readonly Field[]): readonly Field[] {
  return fields.toSorted((a, b) => a.position - b.position);
}

/** Removes the member `sign` from a body. Other characters stay unchanged. */
function withoutSign(body: string): string {
  return body.replace(/,\s*"sign"\s*:\s*"[^"]*"|"sign"\s*:\s*"[^"]*"\s*,?\s*/, '');
}
