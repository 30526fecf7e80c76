import type { RuleEngine } from './engine.ts';

/**
 * The rule engine of the detection service, for use without HTTP. Its code and its rules are loaded
 * when this is called, and patterns compiled when they are first needed.
 */
export async function loadRuleEngine(): Promise<RuleEngine> {
  const { RuleEngine } = await import('./engine.ts');
  return new RuleEngine();
}
