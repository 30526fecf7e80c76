import { DEFAULT_TIME_ZONE } from './defaults.ts';

/**
 * The zone for calculations: a fixed offset for the platform's zone. Loading the data of a named
 * zone takes 20 to 30 ms, a third of a short command. The platform's zone has had one offset,
 * without summer time, since 1991 (IANA time zone database).
 *
 * @param name An IANA name.
 */
export function zoneOf(name: string): string {
  return name === DEFAULT_TIME_ZONE ? '+08:00' : name;
}
