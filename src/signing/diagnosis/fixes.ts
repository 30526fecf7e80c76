import DATA from './fixes.json' with { type: 'json' };
import type { DiagnosisId, Evidence, Variant } from './mistake.ts';

export const FIXES: { readonly [id in DiagnosisId]: string } = DATA.fixes;

/** How a language is recognised: in the title of a mistake, and in the User-Agent of the request. */
const LANGUAGES: readonly (readonly [language: string, title: RegExp, agent: RegExp])[] = [
  ['Python', /python|json\.dumps/i, /python|aiohttp|httpx/i],
  ['PHP', /php/i, /guzzle|php/i],
  ['Go', /\bGo\b|omitempty/, /go-http-client|go-resty/i],
  ['C#', /\.NET|C#/, /\.NET|RestSharp/i],
  ['JavaScript', /javascript|\bNode\b|localeCompare/i, /axios|node|undici|mozilla|postman/i],
  [
    'Java',
    /java(?!script)|gson|jackson|fastjson|lombok|BigDecimal/i,
    /okhttp|\bjava|apache-http|dalvik/i,
  ],
  ['Kotlin', /kotlin/i, /ktor/i],
  ['Dart', /\bdart\b/i, /dart|dio\b/i],
  ['Swift', /swift/i, /CFNetwork|alamofire|darwin/i],
  ['Ruby', /ruby/i, /ruby|faraday/i],
  ['Rust', /rust/i, /reqwest/i],
  ['Erlang', /erlang|elixir/i, /hackney|gun\b|tesla|mint/i],
  ['Lua', /\blua\b/i, /lua/i],
];

/** The switch of a language that makes a mistake, with words of the titles for which it is right. */
type Switch = readonly string[];
const SWITCHES: { readonly [id in DiagnosisId]?: readonly Switch[] } = DATA.switches;

const MAX_LISTED = 4;
/** Mistakes with a plain fix, which names a language only if the language is known. */
const PLAIN: readonly DiagnosisId[] = ['hex-lowercase', 'signature-format'];

/**
 * The correction, with the switches of the language that the User-Agent or the title shows; without
 * one, those for this title or of the usual languages. `lost` are the right pairs that were not
 * signed.
 */
export function fixOf(
  { id, title, fix = FIXES[id] }: Variant,
  { request }: Evidence,
  lost: readonly string[],
): string {
  if (id === 'empty-dropped' && lost.length > 0) return `${fix}: ${lost.join(', ')}`;
  const fitting = (SWITCHES[id] ?? [])
    .filter(([, , words]) => words === undefined || fits(title, words))
    .sort(([, , a], [, , b]) => Number(b !== undefined) - Number(a !== undefined));
  const agent = request.headers?.find(([name]) => /^user-agent$/i.test(name))?.[1] ?? '';
  const ofAgent = LANGUAGES.filter(([, , pattern]) => pattern.test(agent));
  const ofTitle = LANGUAGES.filter(([, pattern]) => pattern.test(title));
  const inLanguages = (languages: typeof LANGUAGES): readonly Switch[] =>
    fitting.filter(([language]) => languages.some(([known]) => known === language));
  const listed =
    [inLanguages(ofAgent), inLanguages(ofTitle)].find((own) => own.length > 0) ??
    (ofTitle.length > 0 || PLAIN.includes(id) ? [] : fitting.slice(0, MAX_LISTED));
  const switches = listed.map(([language, change]) => `${language}: ${change}`);
  return [fix, ...switches].join('; ');
}

/** Whether a title contains one of the words between `|`, or none of those after `not: `. */
function fits(title: string, words: string): boolean {
  const [, not, list = ''] = /^(not: )?(.*)$/.exec(words) ?? [];
  return list.split('|').some((word) => title.includes(word)) === (not === undefined);
}
