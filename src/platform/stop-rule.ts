import { MopError } from '../errors.ts';

/** Failures to connect in a row that end a run in which an earlier item succeeded. */
const MAX_CONNECTION_FAILURES = 3;
/** Maximum time for which the other items wait for the first answer, in milliseconds. */
const MAX_FIRST_WAIT_MS = 3000;

export interface ItemSteps {
  /** The server has accepted the request: other items may start. */
  readonly accepted: () => void;
  /** The item waits for a time of day: another item may start meanwhile. */
  readonly waits: () => void;
}

/**
 * Ends a run when the rest must fail too (contract section 4). A failure of the credentials or of
 * the directory ends it. So does a failure to connect if no item succeeded, else the third in a
 * row. Items run one at a time until a request is accepted, up to 3 seconds, and after a failure to
 * connect. So a wrong secret sends one request at any concurrency.
 */
export class StopRule {
  readonly #isOff: boolean;
  readonly #stop = new AbortController();
  #hasSucceeded = false;
  /** Whether items may run concurrently. */
  #isOpen = false;
  /** Ends when the item that runs alone has ended. */
  #turn: Promise<void> | undefined;
  #endTurn = (): void => {};
  /** Failures to connect since the last item that reached the server. */
  #row = 0;
  #failures = 0;

  constructor(keepGoing = false) {
    this.#isOff = keepGoing;
  }

  /** Aborted when the run ends; its reason is the error of the skipped items. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Runs an item in its turn; throws `skipped`, with the failure as its cause, after the end. */
  async run<T>(item: (steps: ItemSteps) => Promise<T>): Promise<T> {
    if (this.#isOff) return item({ accepted: () => {}, waits: () => {} });
    const endTurn = await this.#takeTurn();
    const failuresBefore = this.#failures;
    try {
      const result = await item({ accepted: () => this.#reach(), waits: endTurn });
      this.#hasSucceeded = true;
      this.#reach();
      return result;
    } catch (error) {
      if (error instanceof MopError) this.#take(error, failuresBefore);
      throw error;
    } finally {
      endTurn();
    }
  }

  async #takeTurn(): Promise<() => void> {
    // Awaited at least once: so items start in their order.
    do await this.#turn;
    while (!this.#isOpen && this.#turn && !this.signal.aborted);
    this.signal.throwIfAborted();
    if (this.#isOpen) return () => {};
    const turn = new Promise<void>((resolve) => {
      this.#endTurn = () => {
        if (this.#turn === turn) this.#turn = undefined;
        resolve();
      };
    });
    this.#turn = turn;
    // A slow server must not slow down a run.
    setTimeout(() => {
      if (this.#turn === turn && this.#failures === 0) this.#open();
    }, MAX_FIRST_WAIT_MS).unref();
    return this.#endTurn;
  }

  #open(): void {
    this.#isOpen = true;
    this.#endTurn();
  }

  #reach(): void {
    this.#row = 0;
    this.#open();
  }

  #take(error: MopError, failuresBefore: number): void {
    const { code, details } = error;
    if (details.systematic === 'connection') {
      this.#isOpen = false;
      // Items that were in flight together fail together: that is one failure of the network.
      if (this.#failures === failuresBefore) this.#row++;
      this.#failures++;
      if (!this.#hasSucceeded || this.#row === MAX_CONNECTION_FAILURES) this.#end(error);
      return;
    }
    if (details.systematic !== undefined) {
      this.#end(error);
      return;
    }
    const isAbsent = code === 'no-bill' || code === 'not-ready';
    if (isAbsent && details.seqId !== undefined) this.#hasSucceeded = true;
    // Any other failure of the input or of the disk says nothing about the server.
    if (details.seqId !== undefined || ANSWERS.includes(code)) this.#reach();
  }

  #end(reason: MopError): void {
    this.#stop.abort(
      new MopError('skipped', `not tried after this failure: ${reason.message}`, {
        hint: 'fix that failure first; with --keep-going, all items are tried',
        cause: reason,
      }),
    );
  }
}

/** Failures after an answer of the server. */
const ANSWERS: readonly string[] = ['auth', 'api', 'network', 'integrity'];
