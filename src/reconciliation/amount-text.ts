import CURRENCIES from './currencies.json' with { type: 'json' };

/** The ISO 4217 code of each sign and word beside amounts. */
const CODES = new Map(
  Object.entries(CURRENCIES).flatMap(([code, names]) =>
    [code, ...names.split(' ').filter(Boolean)].map((name) => [name.toUpperCase(), code] as const),
  ),
);

/** Matches a currency, ignoring case. Longer names come first: `HK$` before `$`. */
const CURRENCY: string = [...CODES.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map((name) => name.replace(/[$.]/g, '\\$&'))
  .join('|');

function currencyCode(name: string): string {
  return CODES.get(name.toUpperCase()) ?? name;
}

export type DecimalMark = '.' | ',';

export interface AmountText {
  /** As plain digits: `-1234.50`. */
  readonly digits: string;
  /** The decimal mark that the text proves; undefined without a mark, and if it is ambiguous. */
  readonly mark?: DecimalMark | undefined;
  /** The one separator of a text such as `1,234`, which may separate thousands or decimals. */
  readonly ambiguous?: DecimalMark | undefined;
  readonly currency?: string | undefined;
}

const MAX_LENGTH = 1000;
const MINUS_SIGNS = /[−–‐‑‒﹣-]/g;
/** Spaces beside a sign, a parenthesis or the letters of a currency. */
const OUTER_SPACES = /(?<=[^\d., '’]) +| +(?=[^\d., '’])/g;
/** Without {@link OUTER_SPACES}: several optional spaces in a row would take the fifth power of time. */
const WHOLE = new RegExp(
  `^(?<open>\\()?(?<sign>[-+])?(?<before>${CURRENCY})?(?<inner>[-+])? ?` +
    `(?<number>[\\d.,][\\d., '’]*?) ?(?<minus>-)?(?<after>${CURRENCY})?(?<outer>-)?(?<close>\\))?$`,
  'i',
);
/** Thousands, also in groups of two as in India. */
const GROUPED = /^\d{1,3}(?:(?<gap>[., '’])(?:\d{2}\k<gap>)*\d{3}(?:\k<gap>\d{3})*)?$/;

/** Reads an amount in any notation. `mark`, that of the column, decides how `1,234` is read. */
export function readAmountText(text: string, mark: DecimalMark = '.'): AmountText | undefined {
  if (text.length > MAX_LENGTH || !/\p{Nd}/u.test(text)) return undefined;
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(MINUS_SIGNS, '-')
    .replace(/\s/g, ' ')
    .trim()
    .replace(OUTER_SPACES, '');
  const parts = WHOLE.exec(plain)?.groups;
  if (!parts) return undefined;
  const signs = [parts.sign, parts.inner, parts.minus, parts.outer].filter(Boolean);
  const isEnclosed = parts.open !== undefined;
  if (isEnclosed !== (parts.close !== undefined)) return undefined;
  if (signs.length + Number(isEnclosed) > 1 || (parts.before && parts.after)) return undefined;
  const number = readNumber(parts.number ?? '', mark);
  if (!number) return undefined;
  const isNegative = isEnclosed || signs[0] === '-';
  const name = parts.before ?? parts.after;
  return {
    ...number,
    digits: (isNegative ? '-' : '') + number.digits,
    currency: name === undefined ? undefined : currencyCode(name),
  };
}

function readNumber(text: string, mark: DecimalMark): AmountText | undefined {
  const marks = text.match(/[.,]/g) ?? [];
  const last = marks.at(-1) as DecimalMark | undefined;
  if (last === undefined) {
    const whole = ungrouped(text);
    return whole === undefined ? undefined : { digits: whole };
  }
  const isOneOfItsKind = text.indexOf(last) === text.lastIndexOf(last);
  const other = last === '.' ? ',' : '.';
  if (!isOneOfItsKind) {
    // Such as 1,234,567: the separator of thousands, so the other one is the decimal mark.
    const whole = ungrouped(text);
    return whole === undefined ? undefined : { digits: whole, mark: other };
  }
  const at = text.indexOf(last);
  const fraction = text.slice(at + 1);
  const asThousands = /^[1-9]\d{0,2}$/.test(text.slice(0, at)) && fraction.length === 3;
  if (asThousands && last !== mark) return { digits: text.replace(last, ''), ambiguous: last };
  const whole = at === 0 ? '0' : ungrouped(text.slice(0, at), other);
  if (whole === undefined || !/^\d+$/.test(fraction)) return undefined;
  const digits = `${whole}.${fraction}`;
  return asThousands ? { digits, ambiguous: last } : { digits, mark: last };
}

/** Digits without separators of thousands; undefined if these are at the wrong places. */
function ungrouped(text: string, gap?: DecimalMark): string | undefined {
  if (/^\d+$/.test(text)) return text;
  const found = GROUPED.exec(text)?.groups?.gap;
  if (found === undefined || (gap !== undefined && /[.,]/.test(found) && found !== gap)) {
    return undefined;
  }
  return text.replaceAll(found, '');
}
