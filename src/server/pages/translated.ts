import type { Translator } from '../../locale/translator.ts';
import type { ComparedString, Explanation } from '../debugger/page-data.ts';
import type { Mistake, ShownExchange, ShownLayers } from '../requests/page-data.ts';

/** An exchange with its messages in another language. */
export function translatedExchange(exchange: ShownExchange, translator: Translator): ShownExchange {
  const { diagnosis, warnings, error, layers, missingLayers } = exchange;
  return {
    ...exchange,
    diagnosis: diagnosis && translatedMistakes(diagnosis, translator),
    warnings: warnings?.map((warning) => translator.text(warning)),
    error: error && translator.text(error),
    layers: layers && translatedLayers(layers, translator),
    missingLayers: missingLayers && translator.text(missingLayers),
  };
}

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
    theirs: theirs && translatedString(theirs, translator),
  };
}

function translatedString(theirs: ComparedString, translator: Translator): ComparedString {
  return { ...theirs, mistakes: translatedMistakes(theirs.mistakes, translator) };
}

function translatedLayers(layers: ShownLayers, translator: Translator): ShownLayers {
  const { omitted, diagnosis } = layers;
  return {
    ...layers,
    omitted: omitted.map(({ name, reason }) => ({ name, reason: translator.text(reason) })),
    diagnosis: translatedMistakes(diagnosis, translator),
  };
}

function translatedMistakes(
  mistakes: readonly Mistake[],
  translator: Translator,
): readonly Mistake[] {
  return mistakes.map((mistake) => ({
    ...mistake,
    title: translator.text(mistake.title),
    fix: translator.text(mistake.fix),
  }));
}
