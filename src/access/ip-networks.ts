import { BlockList, isIP } from 'node:net';
import { plainAddress } from './ip-address.ts';

/** Returns whether an IP address is in one of several networks. */
export type IpNetworks = (address: string) => boolean;

/** How a network must be written, for error messages. */
export const EXPECTED_NETWORK = 'expected an IP address or a network such as 10.1.0.0/16 or fd00::/8';

interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** An address, or an address with a prefix length (CIDR, RFC 4632 and 4291); undefined for anything else. */
function readNetwork(text: string): Network | undefined {
  const [, address = '', prefix] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const longest = version === 4 ? 32 : 128;
  const bits = prefix === undefined ? longest : Number(prefix);
  if (bits > longest) return undefined;
  const plain = plainAddress(address);
  if (version === 6 && isIP(plain) === 4) {
    return bits < 96 ? undefined : { address: plain, bits: bits - 96, family: 'ipv4' };
  }
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

export const isNetwork = (text: string): boolean => readNetwork(text) !== undefined;

/** Throws if one of the texts is not a network. */
export function ipNetworks(texts: readonly string[]): IpNetworks {
  // In a single list, every IPv4 address would match ::/0.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of texts) {
    const network = readNetwork(text);
    if (network === undefined) throw new Error(`${text} is not a network`);
    lists[network.family].addSubnet(network.address, network.bits, network.family);
  }
  return (address) => {
    const plain = plainAddress(address);
    const version = isIP(plain);
    const family = version === 4 ? 'ipv4' : 'ipv6';
    return version !== 0 && lists[family].check(plain, family);
  };
}
