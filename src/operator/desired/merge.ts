/** The member that identifies the items of a list, as in a strategic merge. Other lists are replaced as a whole. */
const MERGE_KEYS: Record<string, string> = {
  containers: 'name',
  initContainers: 'name',
  volumes: 'name',
  imagePullSecrets: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  hostAliases: 'ip',
};

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const mergeKeyOf = (field: string): string | undefined => MERGE_KEYS[field];

/** The value that identifies an item of such a list; undefined if the item lacks it. */
export function keyOf(item: unknown, member: string): string | undefined {
  const key = isFields(item) ? item[member] : undefined;
  if (typeof key !== 'string' || key === '') return undefined;
  return member === 'mountPath' && key.length > 1 ? key.replace(/\/+$/, '') : key;
}

/** `under` with everything of `over`, which wins; items of `over` come first. */
export function merged(under: unknown, over: unknown, field = ''): unknown {
  if (over === undefined || over === null) return under;
  if (under === undefined || under === null) return over;
  if (isFields(under) && isFields(over)) {
    const names = [...new Set([...Object.keys(over), ...Object.keys(under)])];
    return Object.fromEntries(names.map((name) => [name, merged(under[name], over[name], name)]));
  }
  if (!Array.isArray(under) || !Array.isArray(over)) return over;
  // If two sources have the same variable, the last one wins.
  if (field === 'envFrom') return [...(under as unknown[]), ...(over as unknown[])];
  const member = mergeKeyOf(field);
  return member === undefined ? over : mergedItems(under, over, member);
}

function mergedItems(under: unknown[], over: unknown[], member: string): unknown[] {
  const sameAs = (item: unknown, others: unknown[]): unknown => {
    const key = keyOf(item, member);
    return key === undefined ? undefined : others.find((other) => keyOf(other, member) === key);
  };
  return [
    ...over.map((item) => merged(sameAs(item, under), item)),
    ...under.filter((item) => sameAs(item, over) === undefined),
  ];
}
