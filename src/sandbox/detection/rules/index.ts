import type { RuleFamily } from '../rule-families.ts';
import consciousness from './consciousness.json' with { type: 'json' };
import delusion from './delusion.json' with { type: 'json' };
import dependency from './dependency.json' with { type: 'json' };
import escalation from './escalation.json' with { type: 'json' };
import guilt from './guilt.json' with { type: 'json' };
import isolation from './isolation.json' with { type: 'json' };
import manipulation from './manipulation.json' with { type: 'json' };
import medical from './medical.json' with { type: 'json' };
import minimizing from './minimizing.json' with { type: 'json' };
import reassurance from './reassurance.json' with { type: 'json' };
import selfHarm from './self-harm.json' with { type: 'json' };
import sycophancy from './sycophancy.json' with { type: 'json' };

/** The rule files, the gravest matters first; `rules.schema.json` says what they may hold. */
export const FAMILIES = [
  selfHarm,
  medical,
  delusion,
  manipulation,
  isolation,
  dependency,
  guilt,
  escalation,
  consciousness,
  minimizing,
  reassurance,
  sycophancy,
] as readonly unknown[] as readonly RuleFamily[];
