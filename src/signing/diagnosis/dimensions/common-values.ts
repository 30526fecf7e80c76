import { COMMON_FIELDS } from '../../../protocol/operations.ts';
import { commonField } from '../../received-request.ts';
import { type Evidence, RARE, type Variant, withSteps } from '../mistake.ts';
import type { Steps } from '../signer.ts';

/** A value in the string to sign. */
interface Part {
  readonly title: string;
  readonly print: Steps['join'];
}

/**
 * The values of one to all common fields as the string to sign, as other platforms require:
 * timestamp + nonce + secret. The fields are in any order, the secret is first or last. With a `body`,
 * its text precedes or follows the values.
 */
export function commonValues(evidence: Evidence, body?: Part): readonly Variant[] {
  const fields = COMMON_FIELDS.flatMap((name) => commonField(evidence, name) ?? []);
  return arrangements(fields)
    .map((chosen) =>
      chosen.map(
        ({ name }): Part => ({
          title: name,
          print: (pairs) => pairs.find((pair) => pair.name === name)?.value ?? '',
        }),
      ),
    )
    .flatMap((values) =>
      body
        ? [
            [...values, body],
            [body, ...values],
          ]
        : [values],
    )
    .flatMap(joined)
    .map((variant) => ({
      ...variant,
      family: `only the values of common fields${body ? ` and ${body.title}` : ''} were signed, in any order`,
      fields: [],
      cost: RARE,
    }));
}

const JOINTS = ['', '&', '\n', '.'];

function joined(parts: readonly Part[]): readonly Variant[] {
  const titles = parts.map(({ title }) => title).join(', ');
  return JOINTS.flatMap((joint) => {
    const between = joint && `, with ${JSON.stringify(joint)} between`;
    const join: Steps['join'] = (pairs, steps) =>
      parts.map(({ print }) => print(pairs, steps)).join(joint);
    return [
      withSteps(`only these values were signed: ${titles}, the api secret${between}`, {
        join,
        append: (text, secret) => text + joint + secret,
      }),
      withSteps(`only these values were signed: the api secret, ${titles}${between}`, {
        join,
        append: (text, secret) => secret + joint + text,
      }),
    ];
  });
}

/** Every ordered choice of one or more items. */
function arrangements<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.flatMap((item) => [
    [item],
    ...arrangements(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  ]);
}
