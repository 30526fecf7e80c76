/** The faults of one file, each as `FILE:LINE: ADVICE: SENTENCE`. */
export function faultsOf(name: string): string[];
/** The tracked files that contain prose. */
export function filesWithProse(): string[];
