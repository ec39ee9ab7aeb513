import { isIPv6 } from 'node:net';

/** The network that one subscriber has, to count by: an IPv4 address, or the /64 of an IPv6 address, since who has one of those has 2^64. */
export function subscriberNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

const groupsOf = (text: string): readonly string[] => text.split(':').filter((group) => group !== '');
