/** Passes a result to the test. */
export function print(result) {
  console.log(JSON.stringify(result));
}

/** The items of an iterable, like `Array.fromAsync` of Node 22. */
export async function collect(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}
