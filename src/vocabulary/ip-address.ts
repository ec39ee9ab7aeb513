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

/** Returns whether an IP address is in one of several networks. */
export type IpNetworks = (address: string) => boolean;

/** How a network must be written, for error messages. */
export const EXPECTED_NETWORK = 'expected an IP address or a network such as 10.1.0.0/16 or fd00::/8';

/** An address, or an address with a prefix length (CIDR, RFC 4632 and 4291); undefined for anything else. */
function readNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const [, written = '', prefix] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (isIP(written) === 0) return undefined;
  const address = ipaddr.parse(written);
  const longest = address.kind() === 'ipv4' ? 32 : 128;
  const bits = prefix === undefined ? longest : Number(prefix);
  if (bits > longest) return undefined;
  if (!('isIPv4MappedAddress' in address) || !address.isIPv4MappedAddress()) return [address, bits];
  return bits < 96 ? undefined : [address.toIPv4Address(), bits - 96];
}

export const isNetwork = (text: string): boolean => readNetwork(text) !== undefined;

/** Throws if one of the texts is not a network. */
export function ipNetworks(texts: readonly string[]): IpNetworks {
  const networks = texts.map((text) => {
    const network = readNetwork(text);
    if (network === undefined) throw new Error(`${text} is not a network`);
    return network;
  });
  return (text) => {
    const plain = plainAddress(text);
    if (isIP(plain) === 0) return false;
    const address = ipaddr.parse(plain);
    return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
}
