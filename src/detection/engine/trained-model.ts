import type { TrainedModel } from './embedded-model.ts';
import weights from './weights.json' with { type: 'json' };

export const TRAINED: TrainedModel = weights;
