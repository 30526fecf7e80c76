import { DEFAULT_TIME_ZONE } from './defaults.ts';

/**
 * The zone for calculations: for the platform's zone its fixed offset, unchanged since 1991,
 * because loading the data of a named zone takes 20 to 30 ms, a third of a short command.
 */
export function zoneOf(name: string): string {
  return name === DEFAULT_TIME_ZONE ? '+08:00' : name;
}
