import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The trials that take about a minute or more, the slowest first. A clean clone has no measurements,
 * and vitest would start with the largest files: one of these would run alone at the end.
 */
const SLOW = [
  'test/trials/sandbox-attack-connections.trial.ts',
  'test/sandbox/pages/pages.trial.ts',
  'test/trials/programs/programs.trial.ts',
];

/** Starts the slowest files first. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = SLOW.findIndex((name) => moduleId.endsWith(name));
      return rank < 0 ? SLOW.length : rank;
    };
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}
