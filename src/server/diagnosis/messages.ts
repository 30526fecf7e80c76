import type { Layers } from '../../signing/verification/layers.ts';
import type { Search, SearchJob } from './search-job.ts';

/** The answer to each question about a job. */
export interface Answers {
  readonly search: Search;
  readonly layers: Layers;
}

export type Question = keyof Answers;

/** A message to the thread: a job, or the number of a job whose answer would be unused. */
export type ThreadMessage =
  | { readonly number: number; readonly question: Question; readonly job: SearchJob }
  | { readonly cancelled: number };

/** A message from the thread. */
export interface ThreadAnswer {
  readonly number: number;
  readonly answer: Answers[Question];
}
