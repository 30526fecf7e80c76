import { sep } from 'node:path';

/** Windows refuses these names, or opens a device or a hidden stream instead of a file. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses them
const REFUSED_BY_WINDOWS = /[<>:"|?*\u0000-\u001f]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether `name` is a file name without a directory, on this system. */
export function isFileName(name: string, separator = sep): boolean {
  if (/[/\\\0]/.test(name) || name === '' || name === '.' || name === '..') return false;
  return separator === '/' || !REFUSED_BY_WINDOWS.test(name);
}

/** Whether a path ends like a directory: in `/`, or in `\` on Windows. */
export function endsInSeparator(path: string, separator = sep): boolean {
  return path.endsWith('/') || path.endsWith(separator);
}
