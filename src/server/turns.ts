/** Enough for another request: its connection, headers, body and answer. */
const TURNS = 8;

const waiting: (() => void)[] = [];
let turns = 0;

/**
 * Waits for a turn of the event loop in which no other caller continues. A few turns without a caller
 * follow. Without them, a new client would wait for the work of all others: in one turn, Node accepts
 * one connection, but reads all of them.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1 && turns === 0) setImmediate(next);
  });
}

function next(): void {
  if (turns === 0) {
    waiting.shift()?.();
    turns = TURNS;
  } else {
    turns--;
  }
  if (turns > 0 || waiting.length > 0) setImmediate(next);
}

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
