/** Runs up to `limit` tasks at once; others wait in order of arrival. */
export function queue(limit: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The next waiting task takes this place.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
