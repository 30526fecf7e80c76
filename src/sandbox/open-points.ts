import { type AllReadings, READINGS, type ReadingName } from '../protocol/readings.ts';
import type { SignatureFindings } from '../server/log-entry.ts';

/** The points on which a request can be refused, apart from the string to sign. */
type RulePoint = Extract<ReadingName, 'nonce' | 'types' | 'modes' | 'replay' | 'window'>;

/** The open points of D1 that one request meets. */
export class OpenPoints {
  readonly #chosen: AllReadings;
  /** The warnings by reading. */
  readonly #needed = new Map<string, string>();

  constructor(chosen: AllReadings) {
    this.#chosen = chosen;
  }

  /** The fault of the request under the chosen reading; notes another reading that has a fault. */
  faultOf<Name extends RulePoint, Fault extends { readonly message: string }>(
    name: Name,
    check: (reading: AllReadings[Name]) => Fault | undefined,
  ): Fault | undefined {
    const fault = check(this.#chosen[name]);
    if (fault !== undefined) return fault;
    const values: readonly string[] = READINGS[name].values;
    for (const value of values as readonly AllReadings[Name][]) {
      const other = check(value);
      if (other === undefined) continue;
      const warning = `${other.message} (refused under the reading ${name}=${value})`;
      this.#needed.set(`${name}=${this.#chosen[name]}`, warning);
      break;
    }
    return undefined;
  }

  /** The findings about an accepted request, with the noted readings. */
  addTo({ readings = [], warnings = [], ...findings }: SignatureFindings): SignatureFindings {
    return {
      ...findings,
      readings: [...readings, ...this.#needed.keys()],
      warnings: [...warnings, ...this.#needed.values()],
    };
  }
}
