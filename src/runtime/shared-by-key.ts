/** Runs a function at most once at a time for each key: concurrent callers get the result of the run under way. */
export function sharedByKey<Key, Result = void>(run: (key: Key) => Promise<Result>): (key: Key) => Promise<Result> {
  const running = new Map<Key, Promise<Result>>();
  return (key) => {
    const current = running.get(key) ?? run(key).finally(() => running.delete(key));
    running.set(key, current);
    return current;
  };
}
