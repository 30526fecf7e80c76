import {
  type Evidence,
  type Mistake,
  styled,
  type Variant,
  variantsIf,
  withCost,
} from '../mistake.ts';
import { someText } from '../values.ts';

/** Texts that look the same but differ in their characters. */

export const unicodeForm: Mistake = {
  id: 'unicode-form',
  readsEveryValue: true,
  perField: true,
  fix: 'sign the characters that are sent: normalize before you build the body, or not at all',
  variants: (evidence) =>
    (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).flatMap((form) =>
      textVariant(evidence, `texts were normalized to ${form}`, (text) => text.normalize(form)),
    ),
};

export const newlineStyle: Mistake = {
  id: 'newline-style',
  readsEveryValue: true,
  perField: true,
  fix: 'sign the line ends that are sent',
  variants: (evidence) => {
    const lineEnds = (how: string, lineEnd: string): readonly Variant[] =>
      textVariant(evidence, `line ends were signed ${how}`, (text) =>
        text.replace(/\r\n|\r|\n/g, lineEnd),
      );
    return [
      ...lineEnds('as LF', '\n'),
      ...lineEnds('as CR LF', '\r\n'),
      ...lineEnds('as CR', '\r'),
      ...lineEnds('as spaces', ' '),
      ...textVariant(evidence, 'line ends were left out', (text) => text.replace(/[\r\n]/g, '')),
      ...['<br>', '<br/>', '<br />', '<br />\n', ';', '|'].flatMap((lineEnd) =>
        withCost(4, lineEnds(`as ${JSON.stringify(lineEnd)}`, lineEnd)),
      ),
      ...textVariant(evidence, 'a line end at the end of texts was dropped', (text) =>
        text.replace(/(?:\r\n|\r|\n)$/, ''),
      ),
      ...textVariant(evidence, 'line ends were signed as the two characters \\n', (text) =>
        text.replace(/\n/g, '\\n').replace(/\r/g, '\\r'),
      ),
    ];
  },
};

function textVariant(
  { fields }: Evidence,
  title: string,
  change: (text: string) => string,
): readonly Variant[] {
  return variantsIf(
    someText(fields, (text) => change(text) !== text),
    styled(title, { characters: change }),
  );
}
