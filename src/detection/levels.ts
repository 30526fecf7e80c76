import { LEVELS, type Level } from '../protocol/detection.ts';

/** The level that a service wrote, whatever the case; undefined for one that is not known. */
export function levelOf(text: string): Level | undefined {
  return LEVELS.find((level) => level === text.toLowerCase());
}

/** How grave a level is: 0 for the mildest. What is not known is graver than all that is. */
export function gravity(text: string): number {
  const level = levelOf(text);
  return level === undefined ? LEVELS.length : LEVELS.indexOf(level);
}
