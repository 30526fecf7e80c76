import type { Translator } from '../../locale/translator.ts';
import { translatedLayers, translatedMistakes } from '../requests/translated-exchange.ts';
import type { Explanation } from './page-data.ts';

/** An explanation with its messages in another language. */
export function translatedExplanation(
  explanation: Explanation,
  translator: Translator,
): Explanation {
  const { message, hint, diagnosis, warnings, layers, theirs } = explanation;
  return {
    ...explanation,
    message: translator.text(message),
    hint: translator.text(hint),
    diagnosis: translatedMistakes(diagnosis, translator),
    warnings: warnings.map((warning) => translator.text(warning)),
    layers: translatedLayers(layers, translator),
    theirs: theirs && { ...theirs, mistakes: translatedMistakes(theirs.mistakes, translator) },
  };
}
