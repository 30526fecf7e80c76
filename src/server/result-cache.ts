/**
 * Computes the result of each key once. Clears the whole cache when it holds `max` results: evicting
 * one at a time is slow in a large map. Does not cache undefined, a promise of it, or a failure.
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
    const forget = () => results.delete(key);
    if (result instanceof Promise) void result.then((value) => value ?? forget(), forget);
    return result;
  };
}
