/** The rules of writing in CONTRIBUTING.md that a program can check. */

/**
 * @typedef {object} Rule
 * @property {RegExp} pattern Matches a sentence that breaks the rule.
 * @property {string} advice The better wording.
 */

/** @type {readonly Rule[]} */
export const RULES = [
  {
    pattern:
      /(?<!\bthere )(?<!\bwhere )\b(?:is|are|was|were|be) no\b(?! (?:longer|more|less|fewer|later|earlier|larger|smaller)\b)/i,
    advice: 'write "is not a …" or "there is no …"',
  },
  { pattern: /\b(?:is|are|was|were|has|have) none\b/i, advice: 'name the noun' },
  {
    pattern: /\bso (?:long|many|much|few|often)\b/i,
    advice: 'write "up to N", "for N seconds" or "as long as"',
  },
  {
    pattern: /\b(?:tell|tells|told|telling)\b(?! (?:you|a person|the person)\b)/i,
    advice: 'write "report", "print" or "return"',
  },
  { pattern: /\b(?:mend|mends|mended|mending)\b/i, advice: 'write "fix", "plugin" or "repair"' },
  {
    pattern: /\bstands?\b(?! (?:for|in)\b)|\bstood\b|\bstanding\b/i,
    advice: 'write "is" or "contains"',
  },
  {
    pattern: /\b(?:at home|stranger|strangers|whoever|whom|perhaps|troubles?)\b/i,
    advice: "use the field's word",
  },
  {
    pattern: /\b(?:is|are|was|were|it|be) said\b|\bsaid (?:so|that|to)\b|\bto say so\b/i,
    advice: 'write "reported" or "printed"',
  },
  {
    pattern: /\bthe way (?:does|did|is|it|they|a|an|the|of|out)\b|\bor the way\b/i,
    advice: 'write "the network", "how" or "as"',
  },
  { pattern: /\bwhat(?:ever)?\b[^?]*$/i, advice: 'name the noun instead of "what"' },
  {
    pattern: /^(?:who|whose|which|that which|that of|those of|those that|those who)\b[^?]*$/i,
    advice: 'begin with a noun',
  },
  {
    pattern: /\b(?:of|to|with|from|for|by|than|and|or|on|but|is) who\b[^?]*$/i,
    advice: 'name the person instead of "who"',
  },
  {
    pattern: /\b(?:than|of|to|with|from|for|by|and|or) (?:that|those) (?:which|that)\b/i,
    advice: 'name the noun',
  },
  { pattern: /\bas (?:it|they) (?:is|are)\b/i, advice: 'write "unchanged"' },
  { pattern: /\bnothing of\b/i, advice: 'write "no …" or "none of the …"' },
  { pattern: /\bnobody\b|\bsomebody\b/i, advice: 'name the person or use the passive' },
  {
    pattern: /\b(?:is|are|was|were|be|been|being) (?:liked|wished|wanted)\b/i,
    advice: 'write "preferred" or "requested"',
  },
  {
    pattern: /\b(?:less|more|fewer) (?:it|they|there) (?:is|are) not\b/i,
    advice: 'state the rule',
  },
];

/** Forbidden words in names; `mayStandIn` is found as "stand". */
export const NAME_WORDS =
  /^(?:told|tells?|said|says|mends?|mended|stands?|stood|whoever|whom|perhaps|troubles?|strangers?|what|who|whatever|nobody|somebody|liked|meant)$/;

/** The longest sentence, in words. */
export const MAX_WORDS = 24;
