/**
 * @typedef {object} Usage
 * @property {number} perDay Texts.
 * @property {number} length Characters of a text.
 * @property {number} share Percentage of the texts that go to the model.
 *
 * @typedef {object} Prices
 * @property {number} rulePrice CNY per million characters.
 * @property {number} modelPrice CNY per million characters.
 * @property {number} prompt Characters that go to the model with each text.
 */

const DAYS = 30;
const MILLION = 1_000_000;

/**
 * The cost of 30 days, in CNY.
 *
 * @param {Usage & Prices} input
 */
export function monthlyCost({ perDay, length, share, rulePrice, modelPrice, prompt }) {
  const texts = perDay * DAYS;
  const rules = ((texts * length) / MILLION) * rulePrice;
  const model = ((texts * (share / 100) * (length + prompt)) / MILLION) * modelPrice;
  return { rules, model, total: rules + model };
}
