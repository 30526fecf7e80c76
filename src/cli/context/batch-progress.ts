import { MopError, quoted } from '../../errors.ts';
import { counted } from '../../files/counts.ts';

/** The progress of a batch, for the error when a signal or `--max-time` ends it. */
export class BatchProgress {
  readonly #inFlight = new Set<number>();
  #done = 0;
  #failed = 0;
  #last = 0;

  begin(line: number): void {
    this.#inFlight.add(line);
    this.#last = line;
  }

  end(line: number, isFailed: boolean): void {
    this.#inFlight.delete(line);
    if (isFailed) this.#failed++;
    else this.#done++;
  }

  /** The error of the interrupted batch. */
  interruption(reason: MopError, changesData = false): MopError {
    const { size } = this.#inFlight;
    const lines = linesText([...this.#inFlight]);
    const open = !changesData ? 'not finished' : `sent without an answer (${lines})`;
    const parts = [
      `${counted(this.#done, 'line')} done`,
      ...(this.#failed > 0 ? [`${this.#failed} failed`] : []),
      ...(size > 0 ? [`${size} ${open}`] : []),
    ];
    const message = `${reason.message}: ${parts.join(', ')}`;
    if (!changesData) return new MopError(reason.code, message, reason.details);
    return new MopError(reason.code, message, {
      hint: quoted`check the lines without an answer, then run the lines from ${this.#last + 1} on`,
    });
  }
}

/** `line 3`, `lines 17 to 20`, or `lines 17, 19, 20`. */
function linesText(numbers: readonly number[]): string {
  const [first = 0] = numbers;
  if (numbers.length === 1) return `line ${first}`;
  const isRun = numbers.every((number, index) => number === first + index);
  return `lines ${isRun ? `${first} to ${numbers.at(-1)}` : numbers.join(', ')}`;
}
