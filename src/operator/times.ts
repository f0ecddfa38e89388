/** The earliest of the times that are given; undefined if none is. */
export function earliest(...times: (number | undefined)[]): number | undefined {
  const given = times.filter((time) => time !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
}

/** ISO time with whole seconds, as Kubernetes writes its own times; `time` in ms. */
export const inSeconds = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
