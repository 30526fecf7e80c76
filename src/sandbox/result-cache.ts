/**
 * Computes the result of each key once and keeps the last `max` of them. The result undefined is
 * not kept.
 */
export function resultCache<Result>(max: number): (key: string, compute: () => Result) => Result {
  const results = new Map<string, Result>();
  return (key, compute) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute();
    if (result === undefined) return result;
    if (results.size === max) results.delete(results.keys().next().value ?? '');
    results.set(key, result);
    return result;
  };
}
