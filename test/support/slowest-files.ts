import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** The budget of a file in `npm test` (CONTRIBUTING, section Tests). */
const BUDGET_SECONDS = 5;

/** Prints the slowest files at the end of a run, and marks files over the budget. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const files = modules
      .map((module) => ({
        name: module.relativeModuleId,
        ring: module.project.name,
        seconds: secondsOf(module),
      }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN);
    const lines = files.map(({ name, ring, seconds }) => {
      const isOver = seconds > BUDGET_SECONDS && ring === 'test';
      const note = isOver ? `  (budget: ${BUDGET_SECONDS} s)` : '';
      return `${seconds.toFixed(1).padStart(6)} s  ${name}${note}`;
    });
    console.log(['The slowest files (wall clock, imports included):', ...lines, ''].join('\n'));
  }
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}
