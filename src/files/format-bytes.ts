const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A readable size, such as `12.3 MiB`, in the unit of another size. */
export function formatBytes(bytes: number, unitOf = bytes): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, unitOf)) / 10));
  const digits = power === 0 ? 0 : 1;
  return `${(bytes / 1024 ** power).toFixed(digits)} ${UNITS[power]}`;
}
