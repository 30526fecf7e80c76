import { MopError } from '../../errors.ts';
import type { RunSearch } from '../../signing/verification/verify-request.ts';
import { explain } from './explanation.ts';
import type { Question, WorkerMessage } from './page-data.ts';

interface WorkerScope {
  onmessage: ((event: { readonly data: Question }) => void) | null;
  postMessage(message: WorkerMessage): void;
}

const scope = globalThis as unknown as WorkerScope;

const PROGRESS_MS = 100;

/** Runs a search without a pause: the page ends the worker to cancel it. */
const run: RunSearch = async (search) => {
  let next = performance.now() + PROGRESS_MS;
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
    if (performance.now() < next) continue;
    next = performance.now() + PROGRESS_MS;
    scope.postMessage({ kind: 'progress', candidates: value });
  }
};

scope.onmessage = ({ data }) => {
  explain(data, Math.floor(Date.now() / 1000), run)
    .then((explanation) => scope.postMessage({ kind: 'explained', explanation }))
    .catch((error: unknown) => {
      const { hint = '' } = error instanceof MopError ? error.details : {};
      const message = error instanceof Error ? error.message : String(error);
      scope.postMessage({ kind: 'failed', message, hint });
    });
};
