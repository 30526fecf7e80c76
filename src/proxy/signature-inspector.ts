import { MopError } from '../errors.ts';
import { withDefaults } from '../protocol/readings.ts';
import { checkSignature } from '../server/diagnosis/check-signature.ts';
import { DiagnosisThread } from '../server/diagnosis/diagnosis-thread.ts';
import type { SearchJob } from '../server/diagnosis/search-job.ts';
import type { SignatureFindings } from '../server/log-entry.ts';
import type { KnownSecret } from '../signing/diagnosis/mistake.ts';
import {
  commonFieldText,
  contentAsSent,
  type ReceivedRequest,
} from '../signing/received-request.ts';
import type { Layers } from '../signing/verification/layers.ts';

const READINGS = withDefaults();

/** Checks the signatures of other programs. Close it when done. */
export class SignatureInspector {
  readonly #secrets: readonly KnownSecret[];
  readonly #now: () => number;
  readonly #thread = new DiagnosisThread();

  /** The current secret comes first: it is used for an api_key without a known secret. */
  constructor(secrets: readonly KnownSecret[], now: () => number) {
    this.#secrets = secrets;
    this.#now = now;
  }

  /** The findings about the signature of a request. `ended` stops the search. Never rejects. */
  async check(request: ReceivedRequest, ended: AbortSignal): Promise<SignatureFindings> {
    try {
      const job = this.#jobOf(request, this.#now());
      return (await checkSignature(job, async () => this.#thread, ended)).findings;
    } catch (error) {
      const reason = error instanceof MopError ? error.message : 'the check failed';
      return { signature: 'unreadable', warnings: [reason] };
    }
  }

  /** The layers of a signed request; undefined when the diagnosis thread cannot answer. */
  async layers(
    request: ReceivedRequest,
    time: number,
    ended: AbortSignal,
  ): Promise<Layers | undefined> {
    return this.#thread.ask('layers', this.#jobOf(request, time), ended);
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  #jobOf(request: ReceivedRequest, time: number): SearchJob {
    const apiKey = commonFieldText(contentAsSent(request), 'api_key');
    const isOwn = (known: KnownSecret): boolean => known.apiKey === apiKey;
    const secrets = [...this.#secrets].sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
    return { request, readings: READINGS, secrets, now: Math.floor(time / 1000) };
  }
}
