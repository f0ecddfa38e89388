import { isIPv4, isIPv6 } from 'node:net';

/**
 * Whom all limits by address count: the address of a connection, or of IPv6 its network (/64), because one client usually has
 * all 2^64 addresses of its network. An IPv4 address that is written as IPv6 is that IPv4 address.
 */
export function clientOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.');
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const [before, after] = [listed(head), listed(tail ?? '')];
  const zeros = tail === undefined ? [] : Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

/** The end of an address may be written as IPv4. */
const listed = (text: string): number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (!isIPv4(group)) return parseInt(group, 16);
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [(a << 8) | b, (c << 8) | d];
      });
