import type { Entry } from '../../canonical.ts';
import { RFC_3986_ENCODER } from '../languages/url-encoding.ts';
import {
  type Evidence,
  inFamily,
  RARE,
  separatorText,
  UNCOMMON,
  type Variant,
  withSteps,
} from '../mistake.ts';
import { joinPairs, type Steps } from '../signer.ts';

/** The method, the host or the path as a part of the string, as other platforms require. */
export function requestVariants({ request, mode }: Evidence): readonly Variant[] {
  const parts = requestParts(request.url, request.method ?? 'POST', mode);
  const family = 'the method, the path or the address was signed with the pairs';
  const variants = parts.flatMap(({ subject, text }) =>
    ['', '&', '\n', '?', '|', ' ', ':', '%'].flatMap((separator, index): Variant[] => {
      const cost = index < 3 ? UNCOMMON : RARE;
      return [
        {
          ...withSteps(`${subject} preceded the pairs${separatorText(separator)}`, {
            join: (pairs) => text + separator + joinPairs(pairs),
          }),
          cost,
        },
        {
          ...withSteps(`${subject} followed the pairs${separatorText(separator)}`, {
            join: (pairs) => joinPairs(pairs) + separator + text,
          }),
          cost: cost + 1,
        },
        ...(separator === '&'
          ? [
              {
                ...withSteps(`${subject} and the pairs were percent-encoded and joined with "&"`, {
                  join: (pairs: readonly Entry[]) =>
                    `${encodedParts(text)}&${RFC_3986_ENCODER.apply(joinPairs(pairs))}`,
                }),
                cost: RARE,
              },
            ]
          : []),
      ];
    }),
  );
  return inFamily(family, variants);
}

interface RequestPart {
  readonly subject: string;
  readonly text: string;
}

function requestParts(
  url: string | undefined,
  method: string,
  mode: Evidence['mode'],
): readonly RequestPart[] {
  const address = url === undefined ? undefined : /^(https?:\/\/([^/?#]*))?(\/[^?#]*)/.exec(url);
  if (!address) return [{ subject: `the method ${method}`, text: method }];
  const [, origin = '', host = '', path = ''] = address;
  const short = path.replace(mode === 'body' ? /^.*\/open\/v1/ : /^.*\/api\/open/, '');
  const parts = [
    { subject: `the path ${path}`, text: path },
    { subject: `the path ${short}`, text: short },
    { subject: `the path ${path.slice(1)}`, text: path.slice(1) },
    { subject: `the path ${short.slice(1)}`, text: short.slice(1) },
    { subject: `the method ${method}`, text: method },
    // As Alibaba Cloud requires it: the path of its services is "/".
    { subject: '"POST&/"', text: 'POST&/' },
    // As AWS requires it: an empty query follows the path.
    { subject: JSON.stringify(`${method}\n${path}\n`), text: `${method}\n${path}\n` },
    ...['', ' ', '\n', '&'].map((separator) => ({
      subject: JSON.stringify(`${method}${separator}${path}`),
      text: `${method}${separator}${path}`,
    })),
    ...['', '\n', '&'].map((separator) => ({
      subject: JSON.stringify(`${method}${separator}${host}${separator}${path}`),
      text: `${method}${separator}${host}${separator}${path}`,
    })),
    { subject: `the address ${origin}${path}`, text: origin + path },
    { subject: `the address ${host}${path}`, text: host + path },
    { subject: 'the method and the address', text: `${method}${host}${path}` },
  ];
  return parts.filter(
    ({ text }, index) => text !== '' && parts.findIndex((other) => other.text === text) === index,
  );
}

/** The string that Alibaba Cloud requires. Used by a habit. */
export const alibabaJoin: Steps['join'] = (pairs) =>
  `POST&%2F&${RFC_3986_ENCODER.apply(joinPairs(pairs))}`;

/** `POST&/path` as `POST&%2Fpath`. */
function encodedParts(text: string): string {
  return text
    .split('&')
    .map((part) => RFC_3986_ENCODER.apply(part))
    .join('&');
}
