import { EventEmitter, on } from 'node:events';

/** Publishes values to the current listeners. */
export interface Channel<T> {
  publish(value: T): void;
  /** Every value from the first `next` on; ends when `signal` is aborted. */
  listen(signal: AbortSignal): AsyncGenerator<T>;
}

export function channel<T>(): Channel<T> {
  const emitter = new EventEmitter<{ value: [T] }>().setMaxListeners(0);
  return {
    publish(value) {
      emitter.emit('value', value);
    },
    async *listen(signal) {
      try {
        for await (const [value] of on(emitter, 'value', { signal })) yield value;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  };
}

/**
 * The events of a subscription. A plain generator would notice a disconnected client only after its
 * next event.
 *
 * @param produce Must end when its signal is aborted.
 */
export function eventStream<T>(
  produce: (signal: AbortSignal) => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const ending = new AbortController();
  const events = produce(ending.signal);
  const end = events.return.bind(events);
  events.return = (value) => {
    ending.abort();
    return end(value);
  };
  return events;
}
