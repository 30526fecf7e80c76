import { MopError } from '../errors.ts';
import { withDefaults } from '../protocol/readings.ts';
import { checkSignature } from '../server/diagnosis/check-signature.ts';
import { DiagnosisThread } from '../server/diagnosis/diagnosis-thread.ts';
import type { Layers } from '../server/diagnosis/layers.ts';
import type { SearchJob } from '../server/diagnosis/search-job.ts';
import type { SignatureFindings } from '../server/log-entry.ts';
import type { NamedSecret } from '../signing/diagnosis/mistake.ts';
import { claimed, contentAsSent, type ReceivedRequest } from '../signing/received-request.ts';

export interface KnownSecrets {
  /** The secret that belongs to an api_key; that in force for an unknown key, or none. */
  readonly secretOf: (apiKey: string | undefined) => Promise<NamedSecret>;
  /** Other secrets that a wrong signature may have been made with. */
  readonly otherSecrets: () => Promise<readonly NamedSecret[]>;
}

const READINGS = withDefaults();

/** Checks the signatures of other programs. Close it when done. */
export class SignatureInspector {
  readonly #secrets: KnownSecrets;
  readonly #now: () => number;
  readonly #thread = new DiagnosisThread();

  /** @param now Milliseconds since 1970. */
  constructor(secrets: KnownSecrets, now: () => number) {
    this.#secrets = secrets;
    this.#now = now;
  }

  /** The findings about the signature of a request. Never rejects. */
  async check(request: ReceivedRequest): Promise<SignatureFindings> {
    try {
      const job = await this.#jobOf(request, this.#now());
      const { otherSecrets } = this.#secrets;
      return (await checkSignature(job, async () => this.#thread, otherSecrets)).findings;
    } catch (error) {
      const reason = error instanceof MopError ? error.message : 'the check failed';
      return { signature: 'unreadable', warnings: [reason] };
    }
  }

  /**
   * The layers of a signed request; undefined when they cannot be had now.
   *
   * @param time When it was answered, in milliseconds since 1970.
   */
  async layers(request: ReceivedRequest, time: number): Promise<Layers | undefined> {
    const job = await this.#jobOf(request, time);
    const others = await this.#secrets.otherSecrets();
    return this.#thread.layers({ ...job, secrets: [...job.secrets, ...others] });
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #jobOf(request: ReceivedRequest, time: number): Promise<SearchJob> {
    const apiKey = claimed(contentAsSent(request), 'api_key');
    const own = await this.#secrets.secretOf(apiKey);
    return { request, readings: READINGS, secrets: [own], now: Math.floor(time / 1000) };
  }
}
