/** Computes the result of each key once and keeps the last `max` of them. */
export function resultCache<Result>(max: number): (key: string, compute: () => Result) => Result {
  const results = new Map<string, Result>();
  return (key, compute) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    if (results.size === max) results.delete(results.keys().next().value ?? '');
    const result = compute();
    results.set(key, result);
    return result;
  };
}
