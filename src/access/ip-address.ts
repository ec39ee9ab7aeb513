import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address in the form used for comparison: IPv4-mapped IPv6 (`::ffff:10.0.0.1`, `::ffff:a00:1`) as IPv4, without a zone (`%eth0`). */
export function plainAddress(address: string): string {
  if (isIPv4(address)) return address;
  const [bare = ''] = address.split('%', 1);
  // ipaddr.js also accepts 10.1 and 0x7f.1 as addresses; isIP does not.
  if (!/^::ffff:/i.test(bare) || isIP(bare) === 0) return bare;
  return ipaddr.process(bare).toString();
}

/**
 * The network of one subscriber, for counting: an IPv4 address, or the /64 of an IPv6 address, because anyone who has a /64 has 2^64
 * addresses.
 */
export function subscriberNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  return parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

/** Whether an address, or a host name as written in a URL, is one by which only this machine reaches itself. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const address = plainAddress(host.replace(/^\[(.*)\]$/, '$1'));
  return isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
}
