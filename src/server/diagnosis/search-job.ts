import type { Readings } from '../../protocol/readings.ts';
import type { Search as Steps } from '../../signing/diagnosis/diagnose.ts';
import type { NamedSecret } from '../../signing/diagnosis/mistake.ts';
import { SECRET_MARK, secretHider } from '../../signing/mask-secret.ts';
import type { ReceivedRequest } from '../../signing/received-request.ts';
import { type Layers, layersOf } from '../../signing/verification/layers.ts';
import { examine, type Verdict } from '../../signing/verification/verify.ts';

/** A signed request and the options of its examination: plain data, to send to another thread. */
export interface SearchJob {
  readonly request: ReceivedRequest;
  readonly readings: Readings;
  /** The secret that belongs to the request comes first. */
  readonly secrets: readonly NamedSecret[];
  /** Unix seconds. */
  readonly now?: number | undefined;
}

type Search = Pick<Verdict, 'diagnosis' | 'complete'>;

/** Searches for the mistakes of a signer, in steps of about 10 ms. */
export function* searchInSteps(
  { request, readings, secrets }: SearchJob,
  effort?: number,
): Steps<Search> {
  const { verdict } = yield* examine(request, secrets, { readings, effort });
  return { diagnosis: verdict.diagnosis, complete: verdict.complete };
}

/** The layers of a signed request, in steps of about 10 ms. @throws {MopError} `usage` */
export function* layersInSteps({ request, readings, secrets, now }: SearchJob): Steps<Layers> {
  const known = secrets.map(({ secret }) => secret);
  const examination = yield* examine(request, secrets, { readings, now });
  return layersOf(request, examination, secrets, secretHider(known, SECRET_MARK));
}

export interface Answers {
  readonly search: Search;
  readonly layers: Layers;
}

export type Question = keyof Answers;

/** A message to the thread: a job, or the number of a job whose answer would be unused. */
export type ThreadMessage =
  | { readonly number: number; readonly question: Question; readonly job: SearchJob }
  | { readonly cancelled: number };

export interface ThreadAnswer {
  readonly number: number;
  readonly answer: Answers[Question];
}
