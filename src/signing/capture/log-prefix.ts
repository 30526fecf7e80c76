/** A longer prefix is treated as text. */
const MAX_PREFIX = 300;

/**
 * Reads the lines of one logger: lines with the prefix of its first line, with any digits (time,
 * process, thread). The prefix is removed.
 *
 * @param prefix The text of the first line up to the message, such as `11-22 10:00:00.000 D OkHttp: `.
 * @returns A function from a line to its message; undefined for a line of another logger.
 */
export function messageReader(prefix: string): (line: string) => string | undefined {
  if (prefix === '' || prefix.length > MAX_PREFIX) return (line) => line;
  const text = prefix.trimEnd();
  // Copying removes the white space at the end of an empty message.
  const blanks = `[ \\t]{0,${prefix.length - text.length}}`;
  const shape = text.replace(/(\d+)|(\s+)|[^\w\s]/g, (token, digits, space) => {
    if (digits) return '\\d+';
    return space ? '\\s+' : `\\${token}`;
  });
  const pattern = new RegExp(`^${shape}${blanks}`);
  return (line) => {
    const start = pattern.exec(line)?.[0];
    return start === undefined ? undefined : line.slice(start.length);
  };
}
