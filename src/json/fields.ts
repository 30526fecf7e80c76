import { type ErrorDetails, MopError } from '../errors.ts';
import type { JsonValue } from './value.ts';

type Kind = JsonValue['kind'];
type OfKind<K extends Kind> = Extract<JsonValue, { readonly kind: K }>;

/** The format of the answers of one service. */
export interface Contract {
  readonly sender: string;
  readonly hint: string;
  /** Whether a repeated field is a violation; otherwise the first one counts. */
  readonly isStrict: boolean;
  readonly wrongKind: (kind: Kind, found: JsonValue) => string;
}

/** The error for an answer with a field that violates the documents: exit code 5. */
export function contractViolation(
  { sender, hint }: Contract,
  field: string,
  fault: string,
  details?: ErrorDetails,
): MopError {
  return new MopError('api', `the ${sender}'s answer breaks the contract: ${field} ${fault}`, {
    hint,
    ...details,
  });
}

/** The fields of an object in an answer. A value that is not an object has no fields. */
export class AnswerFields {
  readonly #members;
  readonly #contract: Contract;
  readonly #path: string;
  readonly #details: ErrorDetails | undefined;

  /**
   * `path` is the prefix of names in messages, such as `data.`; every violation gets the `details`.
   */
  constructor(json: JsonValue | undefined, contract: Contract, path = '', details?: ErrorDetails) {
    this.#members = json?.kind === 'object' ? json.members : [];
    this.#contract = contract;
    this.#path = path;
    this.#details = details;
  }

  /**
   * Undefined when absent or null. @throws {MopError} `api` for another kind, or as {@link any}.
   */
  optional<K extends Kind>(name: string, kind: K): OfKind<K> | undefined {
    const found = this.any(name);
    if (!found || found.kind === 'null') return undefined;
    if (found.kind === kind) return found as OfKind<K>;
    throw this.violation(name, this.#contract.wrongKind(kind, found));
  }

  /** @throws {MopError} `api` for a repeated field in a strict contract. */
  any(name: string): JsonValue | undefined {
    const [found, second] = this.#members.filter((each) => each.name === name);
    // Some parsers use the first occurrence, others the last.
    if (second && this.#contract.isStrict) throw this.violation(name, 'occurs more than once');
    return found?.value;
  }

  /** @throws {MopError} `api` for a field that is absent or null, and as {@link optional}. */
  required<K extends Kind>(name: string, kind: K): OfKind<K> {
    const value = this.optional(name, kind);
    if (value) return value;
    throw this.violation(name, this.any(name) ? 'is null' : 'is missing');
  }

  violation(name: string, fault: string): MopError {
    return contractViolation(this.#contract, this.#path + name, fault, this.#details);
  }
}
