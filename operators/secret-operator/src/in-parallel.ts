/**
 * Runs a task for each item, so many at once, but the first one alone: what fails for all of them fails once.
 * None is begun after one has thrown.
 *
 * @throws AggregateError of what was thrown, the first of it as its cause, once all that were begun have ended
 */
export async function inParallel<Item, T>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  const errors: unknown[] = [];
  let begun = 0;
  const workUntil = async (end: number): Promise<void> => {
    while (begun < end && errors.length === 0) {
      const item = items[begun] as Item;
      begun += 1;
      try {
        results.push(await task(item));
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await workUntil(Math.min(1, items.length));
  await Promise.all(Array.from({ length: atOnce }, () => workUntil(items.length)));
  if (errors.length > 0) throw new AggregateError(errors, "not all could be done", { cause: errors[0] });
  return results;
}
