import type { Translator } from '../../locale/translator.ts';
import type { Mistake, ShownExchange, ShownLayers } from './page-data.ts';

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

export function translatedLayers(layers: ShownLayers, translator: Translator): ShownLayers {
  const { omitted, diagnosis } = layers;
  return {
    ...layers,
    omitted: omitted.map(({ name, reason }) => ({ name, reason: translator.text(reason) })),
    diagnosis: translatedMistakes(diagnosis, translator),
  };
}

export function translatedMistakes(
  mistakes: readonly Mistake[],
  translator: Translator,
): readonly Mistake[] {
  return mistakes.map((mistake) => ({
    ...mistake,
    title: translator.text(mistake.title),
    fix: translator.text(mistake.fix),
  }));
}
