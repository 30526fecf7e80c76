/** The signs and words of currencies beside amounts, by their ISO 4217 code. */
const NAMES: Readonly<Record<string, string>> = {
  CNY: '¥ CN¥ RMB 元 圆 人民币',
  USD: '$ US$',
  EUR: '€',
  GBP: '£',
  HKD: 'HK$ 港元 港币',
  TWD: 'NT$',
  MOP: 'MOP$',
  SGD: 'S$',
  AUD: 'A$ AU$',
  CAD: 'C$ CA$',
  NZD: 'NZ$',
  BRL: 'R$',
  JPY: 'JP¥ 円',
  KRW: '₩',
  INR: '₹',
  RUB: '₽',
  TRY: '₺',
  THB: '฿',
  VND: '₫',
  PHP: '₱',
  IDR: '',
  MYR: '',
  CHF: '',
  SEK: '',
  PLN: '',
  ILS: '₪',
  MXN: '',
  NOK: '',
  DKK: '',
  CZK: '',
  HUF: '',
  ZAR: '',
  AED: '',
  SAR: '',
  CNH: '',
};

const CODES = new Map(
  Object.entries(NAMES).flatMap(([code, names]) =>
    [code, ...names.split(' ').filter(Boolean)].map((name) => [name.toUpperCase(), code] as const),
  ),
);

/** Matches a currency, ignoring case. Longer names come first: `HK$` before `$`. */
export const CURRENCY: string = [...CODES.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map((name) => name.replace(/[$.]/g, '\\$&'))
  .join('|');

/** The code of a currency that {@link CURRENCY} matches. */
export function currencyCode(name: string): string {
  return CODES.get(name.toUpperCase()) ?? name;
}
