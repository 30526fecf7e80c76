import { COMMON_FIELDS } from '../../../protocol/operations.ts';
import { commonField } from '../../received-request.ts';
import { type Evidence, separatorText, type Variant, VERY_RARE, withSteps } from '../mistake.ts';
import { type Steps, withoutSecret } from '../signer.ts';

/** A value in the string to sign. */
interface Part {
  readonly title: string;
  readonly print: Steps['join'];
}

const SECRET: Part = {
  title: 'the api secret',
  print: (_, { transformSecret, secret }) => transformSecret(secret),
};

/**
 * The values of one to all common fields as the string to sign, as other platforms require:
 * timestamp + nonce + secret. They are in any order. With a `body`, its text precedes or follows the
 * values of all but seq_id, and the secret is first or last.
 */
export function commonValues(evidence: Evidence, body?: Part): readonly Variant[] {
  const names = COMMON_FIELDS.filter((field) => !body || field !== 'seq_id');
  const values = names.flatMap((field) => {
    const name = commonField(evidence, field)?.name;
    return name === undefined ? [] : [valueNamed(name)];
  });
  const strings = body
    ? arrangements(values)
        .flatMap((chosen) => [
          [...chosen, body],
          [body, ...chosen],
        ])
        .flatMap((parts) => [
          [...parts, SECRET],
          [SECRET, ...parts],
        ])
    : arrangements([...values, SECRET]).filter(
        (parts) => parts.length > 1 && parts.includes(SECRET),
      );
  return strings.flatMap(joined).map((variant) => ({
    ...variant,
    family: `only the values of common fields${body ? ` and ${body.title}` : ''} were signed, in any order`,
    fields: [],
    cost: VERY_RARE,
  }));
}

function valueNamed(name: string): Part {
  return {
    title: name,
    print: (pairs) => pairs.find((pair) => pair.name === name)?.value ?? '',
  };
}

function joined(parts: readonly Part[]): readonly Variant[] {
  const titles = parts.map(({ title }) => title).join(', ');
  return ['', '&', '\n', '.'].map((separator) =>
    withSteps(`only these values were signed: ${titles}${separatorText(separator)}`, {
      join: (pairs, steps) => parts.map(({ print }) => print(pairs, steps)).join(separator),
      append: withoutSecret,
    }),
  );
}

/** Every ordered choice of one or more items. */
function arrangements<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.flatMap((item) => [
    [item],
    ...arrangements(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  ]);
}
