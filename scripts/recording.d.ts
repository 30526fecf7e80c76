/** The types of recording.js. */
export const COMMANDS: readonly string[];
export function play(command: string, directory: string): string;
export function makeStage(): string;
