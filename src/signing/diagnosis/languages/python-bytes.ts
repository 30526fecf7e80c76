/** `repr` of a Python bytes object. */
export function pythonBytes(bytes: Uint8Array): string {
  const shown = Array.from(bytes, (byte) => {
    const named = { 9: '\\t', 10: '\\n', 13: '\\r', 92: '\\\\' }[byte];
    if (named !== undefined) return named;
    return byte < 0x20 || byte > 0x7e
      ? `\\x${byte.toString(16).padStart(2, '0')}`
      : String.fromCharCode(byte);
  }).join('');
  return shown.includes("'") && !shown.includes('"')
    ? `b"${shown}"`
    : `b'${shown.replaceAll("'", "\\'")}'`;
}
