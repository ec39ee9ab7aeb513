/** Texts that XML can contain: each is returned as it was sent, or refused. */
export const LEGAL: readonly string[] = [
  ']]>',
  '<',
  '&',
  '&amp;',
  '&lt;b&gt;',
  '<![CDATA[x]]>',
  '<!-- x -->',
  '<script>alert(1)</script>',
  "' OR 1=1--",
  "'; DROP TABLE appointment;--",
  '" OR ""="',
  '%27%20OR%201',
  '\\',
  '?1 :a @b $c',
  'a\r\nSet-Cookie: b',
  'a\rb',
  'a\nb',
  'a\tb',
  '  a  ',
  '+',
  'a b%20c+d',
  '\u007f\u0085x',
  'a\u2028b\u2029c',
  'आशा राव',
  '😀𝒳',
  'e\u0301\u00e9',
  '\u202ertl\u202c',
  '\ufdd0x',
  '{"a":"b"}',
  '=1+1',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template's mark is what is sent
  '${1+1}',
  '../../x',
  '__proto__',
  'null',
];

/** Texts that no XML can contain. */
export const ILLEGAL: readonly string[] = [
  '\u0000',
  'a\u0000b',
  '\u0001',
  '\u0008',
  '\u000b',
  '\u000c',
  '\u001b[31mred\u001b[0m',
  '\ufffe',
  '\uffff',
];

/** Numbers at the ends of the types of SOAP, of JavaScript and of both databases. */
export const NUMBERS: readonly string[] = [
  ...['0', '-0', '-1', '+7', '007', '1', '2', '1e3', '0x10', '1.0', 'NaN', 'INF', '2147483647', '2147483648'],
  ...['-2147483648', '-2147483649', '4294967296', '9007199254740993', '9223372036854775807', '9223372036854775808'],
];

/** Days and times at the ends of what .NET, Java, SQL Server and the calendar have. */
export const TIMES: readonly string[] = [
  ...['0001-01-01', '0001-01-01T00:00:00', '1753-01-01T00:00:00', '1899-12-30T10:00:00', '1900-01-01', '1969-12-31'],
  ...['1970-01-01T00:00:00Z', '2027-02-29', '2028-02-29', '2027-01-18T23:59:59.9999999', '2027-01-18T24:00:00'],
  ...['2038-01-19T03:14:08', '2079-06-06T23:59:00', '6053-01-22', '6053-01-23', '6053-01-24', '9999-12-31'],
  ...['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59+14:00', '10000-01-01', '-0001-01-01', '00:00', '23:59'],
];
