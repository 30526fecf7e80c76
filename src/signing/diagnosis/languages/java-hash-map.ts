/**
 * Sorts items in the iteration order of a `java.util.HashMap` with these keys: by bucket, then by
 * insertion.
 */
export function hashMapOrder<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  let buckets = 16;
  while (items.length > buckets * 0.75) buckets *= 2;
  const bucketOf = (item: Item): number => {
    const hash = hashCode(keyOf(item));
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  // Sorting is stable: items of one bucket keep their order.
  return [...items].sort((a, b) => bucketOf(a) - bucketOf(b));
}

/** `String.hashCode` of Java. */
function hashCode(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return hash;
}
