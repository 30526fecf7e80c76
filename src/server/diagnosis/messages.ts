import type { Layers } from './layers.ts';
import type { Search } from './mistake-search.ts';
import type { SearchJob } from './search-job.ts';

/** The answer to each question about a job. */
export interface Answers {
  /** Undefined when too many other searches take long. */
  readonly search: Search | undefined;
  readonly layers: Layers;
}

export type Question = keyof Answers;

/** A message to the thread. */
export interface NumberedJob {
  readonly number: number;
  readonly question: Question;
  readonly job: SearchJob;
}

/** A message from the thread. */
export interface NumberedAnswer {
  readonly number: number;
  readonly answer: Answers[Question];
}
