/** Enough for another request: its connection, headers, body and answer. */
const TURNS = 8;

/** The callers that wait, in the order of arrival. */
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
