/** Chunks that were read from an iterator, and those that are still in it. */
export async function* resumed(
  start: Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  // Each chunk is released as soon as it is read.
  for (let chunk = start.shift(); chunk; chunk = start.shift()) yield chunk;
  yield* { [Symbol.asyncIterator]: () => rest };
}
