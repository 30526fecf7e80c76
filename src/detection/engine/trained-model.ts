import type { TrainedModel } from './embedded-model.ts';
import weights from './weights.json' with { type: 'json' };

/** The model that `npm run train` produced. */
export const TRAINED: TrainedModel = weights;
