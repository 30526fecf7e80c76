/** Calls `make` once and returns its result each time. */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** More than the bills of each type in a window. */
const MAX_RESULTS = 512;

/**
 * Computes the result of each key once. A full cache is cleared: evicting one result at a time is
 * slow.
 */
export function resultCache<Result>(): (key: string, compute: () => Result) => Result {
  const results = new Map<string, Result>();
  return (key, compute) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute();
    if (results.size === MAX_RESULTS) results.clear();
    results.set(key, result);
    return result;
  };
}
