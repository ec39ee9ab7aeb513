/** What looks like a secret or like personal data and is not, each with the reason. Nothing else may be added here. */
export interface Harmless {
  readonly reason: string;
  /** The whole of the text that was found, not a part of it. */
  readonly is: RegExp;
}

/** Mail addresses. Source: RFC 2606 and 6761 reserve these domains for examples and tests. */
export const HARMLESS_ADDRESSES: readonly Harmless[] = [
  { reason: 'a domain kept for examples', is: /^.+@(?:[\w-]+\.)*example(?:\.(?:org|com|net))?$/ },
  { reason: 'a name of the test of mail addresses', is: /^a@b\.(?:in|\.c)$/ },
  { reason: 'a unit of systemd', is: /^tpwebservices(?:-alert)?@\w+\.service$/ },
];

/** Phone numbers, digits only, with the country code. */
export const HARMLESS_NUMBERS: readonly Harmless[] = [
  { reason: 'the numbers of this project’s examples and tests', is: /^919845\d{6}$/ },
  { reason: 'digits counted down', is: /^91987654321\d$/ },
  { reason: 'digits counted up', is: /^91(?:98|44)?\d?(?:12345678|23456789|234567890?)$/ },
  { reason: 'Ofcom keeps 020 7946 0000 to 0999 for drama', is: /^44207946\d{4}$/ },
  { reason: 'the North American plan keeps 555-0100 to 0199 for fiction', is: /^1\d{3}55501\d\d$/ },
  { reason: 'ACMA keeps 0491 570 006, 156 to 159 and 313 for drama', is: /^61491570(?:006|15[6-9]|313)$/ },
  { reason: 'digits counted up, of Germany', is: /^4915123456789$/ },
  { reason: 'one digit again and again', is: /^\d{0,4}(\d)\1{6,}$/ },
];

/** Passwords in URLs. */
export const HARMLESS_PASSWORDS: readonly Harmless[] = [
  { reason: 'a place for one', is: /^(?:PASSWORD|%s|\$\{.*\}|…|\*+)$/ },
  { reason: 'a word that tests look for where it must not be', is: /^(?:hush|secret|hidden|word|other|p|p%40ss)$/ },
];

/** Texts that look random. */
export const HARMLESS_TEXTS: readonly Harmless[] = [
  { reason: 'the end of a namespace of W3C', is: /^org\/\d{4}\// },
  {
    reason: 'the hash in docs/operators/access.md, of the key there',
    is: /^KuzR1DN4Xny9MelxfiIw768oCdrzzp53dlK51ygTZSo$/,
  },
  { reason: 'the example key of docs/operators/access.md', is: /^Wumy_xO8RIizD4GGCvOBtpUV3o6osTgW$/ },
  {
    reason: 'the certificate’s fingerprint in docs/operators/access.md',
    is: /^b1d4e7023c95a86f10428dbb7750c3e9f6a20e1984d35c7708be94a1627f03dd$/,
  },
  { reason: 'the trace id in W3C Trace Context, 2.2', is: /^4bf92f3577b34da6a3ce929d0e0e4736$/ },
  { reason: 'a test vector of RFC 7914', is: /^fdbabe1c9d347200[0-9a-f]{112}$/ },
  {
    reason: 'digests of UsernameTokens in a test, computed by other programs',
    is: /^(?:Guh3iqD8OcX|Hv8d3E3rEQ1)[\w+/]{16}=$/,
  },
];
