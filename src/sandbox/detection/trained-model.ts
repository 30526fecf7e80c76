import type { TrainedModel } from './embedded-model.ts';
import weights from './weights.json' with { type: 'json' };

/** The model that `npm run train` made. */
export const TRAINED: TrainedModel = weights;
