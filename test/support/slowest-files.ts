import { styleText } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** The budget of a file in `npm test` (CONTRIBUTING, section Tests). */
const BUDGET_SECONDS = 5;

/** Prints the slowest files at the end of a run, so that the budget of CONTRIBUTING shows itself. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const files = modules
      .map((module) => ({ name: module.relativeModuleId, seconds: secondsOf(module) }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN);
    const lines = files.map(({ name, seconds }) => {
      const line = `${seconds.toFixed(1).padStart(6)} s  ${name}`;
      return seconds > BUDGET_SECONDS ? styleText('yellow', line) : line;
    });
    console.log(['The slowest files (wall clock, imports included):', ...lines, ''].join('\n'));
  }
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}
