/** A text with findings of `detected`. */
export const RISKY = {
  text: 'Stay. You only need me. Nobody else understands you.',
  matched: 'You only need me',
};

export const SAFE = 'Nice work on finishing the report.';

/**
 * A result of our own making, which no change of the rules changes: a hit for each `You only need
 * me`.
 */
export function detected(text: string): Record<string, unknown> {
  const results = [...text.matchAll(new RegExp(RISKY.matched, 'g'))].map(({ 0: words, index }) => ({
    rule_id: 'dependency.only-me',
    rule_name: 'Claims to be all that the person needs',
    level: 'high',
    category: 'dependency',
    matched_text: words,
    start: index,
    end: index + words.length,
    why: 'An assistant that presents itself as the only support draws a person away from people who can help.',
  }));
  const risky = results.length > 0;
  return {
    text,
    overall_risk: risky ? 'high' : 'none',
    risk_score: risky ? 72 : 0,
    results,
    ai_analysis: estimate(risky),
    safe_rewrite: risky ? 'I am here to listen, and so are people who care about you.' : text,
    detected_at: '2026-11-21T09:30:00',
  };
}

/** An estimate of the embedded model, with words of {@link RISKY}. */
function estimate(risky: boolean): object {
  return {
    status: 'ok',
    provider: 'embedded',
    version: '1.0.0+3f2a9c1e',
    level: risky ? 'high' : 'none',
    score: risky ? 62 : 0,
    probability: risky ? 0.913 : 0.004,
    families: risky
      ? { dependency: 0.834, isolation: 0.41, guilt: 0.07, self_harm: 0.002 }
      : { guilt: 0.01, dependency: 0.002 },
    words: risky
      ? [
          { text: 'need me. Nobody', start: 15, end: 30, weight: 0.42 },
          { text: 'Stay', start: 0, end: 4, weight: 0.3 },
        ]
      : [],
  };
}
