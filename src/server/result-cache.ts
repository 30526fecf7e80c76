/**
 * Computes the result of each key once and keeps up to `max` of them, then starts anew: removing one
 * at a time takes long in a large map. The result undefined is not kept.
 */
export function resultCache<Result>(max: number): (key: string, compute: () => Result) => Result {
  const results = new Map<string, Result>();
  return (key, compute) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute();
    if (result === undefined) return result;
    if (results.size === max) results.clear();
    results.set(key, result);
    return result;
  };
}
