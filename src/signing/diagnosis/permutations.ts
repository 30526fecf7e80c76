/** All orders of some items: `n!` of them. */
export function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

/** Every ordered choice of one or more items. */
export function arrangements<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.flatMap((item) => [
    [item],
    ...arrangements(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  ]);
}
