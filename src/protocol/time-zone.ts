import { DEFAULT_TIME_ZONE } from './defaults.ts';

/**
 * The zone for calculations. The zone of the platform has had a fixed offset since 1991. Loading
 * the data of a named zone takes 20 to 30 ms, a third of a short command.
 */
export function zoneOf(name: string): string {
  return name === DEFAULT_TIME_ZONE ? '+08:00' : name;
}
