import type { ParameterType } from '../../src/contract/contract.ts';

/** The words of a text, between any white space. */
const words = ([text = '']: TemplateStringsArray): readonly string[] => text.trim().split(/\s+/);

const INTS = [
  ...words`0 -0 +1 1 -1 01 00000000000000000000001 2147483647 2147483648 -2147483648 -2147483649 4294967296 9007199254740993
    1e3 1.0 0x10 1,000 ١ １ NaN Infinity true 12abc -`,
  ...['', ' ', ' 1 ', '\t1\n', '1\u00a0', '9'.repeat(400)],
];

const DATE_TIMES = [
  ...words`0001-01-01T00:00:00 0000-01-01T00:00:00 -0001-01-01T00:00:00 9999-12-31T23:59:59.9999999 10000-01-01T00:00:00
    2027-02-29T10:00:00 2028-02-29T10:00:00 2027-02-30T10:00:00 2027-13-01T10:00:00 2027-00-10T10:00:00 2027-01-18T24:00:00
    2027-01-18T24:00:01 2027-01-18T23:59:60 2027-01-18T10:15 2027-01-18 10:15 10:15:00 20-Nov-2026 31-Feb-2027 18/01/2027
    01/18/2027 2027-01-18T10:15:00Z 2027-01-18T10:15:00+14:00 2027-01-18T10:15:00+14:01 2027-01-18T10:15:00-00:00
    2027-01-18T10:15:00+5:30 2027-01-18T10:15:00. 2027-01-18T10:15:00.000000000000000000000000000001 2027-1-8T1:5:0
    २०२७-०१-१८T10:15:00 now 1768731300000 2147483647-01-01T00:00:00 -2147483648-12-31T23:59:59Z 275760-09-13T00:00:00`,
  ...['', '2027-01-18 10:15:00', '10:15 AM', '13:15 PM', ' 2027-01-18T10:15:00 '],
];

const STRINGS = [
  ...words`a <b>x</b> ]]> &amp; %00 😀 __proto__ constructor {{7*7}} ../../.. {"a":1}`,
  ...['', ' ', "' OR 1=1--", '"; DROP TABLE appointment; --', '\u0000', '\u0001', '\u001b[31mred\u001b[0m', '\r\n'],
  ...['a\rb\nc\td', '\u0085\u2028\u2029', '\ufeff', '\ufffe', '\uffff', '\ud800', '\udc00x', 'e\u0301', '\u202eabc'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template's mark is what is sent
  '${7*7}',
  ...[20, 21, 101, 4000, 30_000].map((length) => 'x'.repeat(length)),
  ...['😀'.repeat(50), 'ß'.repeat(4001)],
];

const PHONES = [
  ...words`9845012345 +999999999999999 112 ٩٨٤٥٠١٢٣٤٥`,
  ...['+91 98450-12345', '(+91) 9845012345', '+1 212 555 0100', '9845012345 ext 5', '0'.repeat(40), '+'.repeat(30)],
];

/** Values at the edges of a type, inside and outside of it. */
export const EDGE_VALUES: Readonly<Record<ParameterType, readonly string[]>> = {
  int: INTS,
  dateTime: DATE_TIMES,
  string: [...STRINGS, ...PHONES],
};

/** For any parameter. A string `NaN` that is listed again would look like a mistake of ours. */
export const ALL_EDGE_VALUES = Object.values(EDGE_VALUES)
  .flat()
  .filter((value) => value !== 'NaN');

/** Names that some part of a program may already know. */
export const ODD_NAMES: readonly string[] = [
  ...words`__proto__ constructor prototype toString hasOwnProperty valueOf Body Envelope Header Fault attributes $value length
    name-with-dash Ünïcödé`,
  ...[127, 128, 129, 5000].map((length) => 'n'.repeat(length)),
];

/** Pieces that mean something to some parser. */
export const TOKENS: readonly string[] = [
  ...words`< > & " ' /> </ <!-- --> <![CDATA[ ]]> &b; &lt; &#0; &#x0; &#9; &#xD; &#xD800; &#x10FFFF; &#x110000;
    &#99999999999999; &#x; &; xmlns="" xmlns:a="b" xml:lang="en" xmlns:xml="c" : :: = % %% %zz %u0041 %c0%ae %ed%a0%80 + ;`,
  ...['<?x ?>', '<?xml version="1.0"?>', '<!DOCTYPE a>', '<!DOCTYPE a [<!ENTITY b "c">]>'],
  ...['\u0000', '\r\n', '\r\n\r\n', '\ufeff', '\u2028'],
];

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const XSD = 'xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

/** Names of namespaces, as they are written in an attribute. */
export const NAMESPACES: readonly string[] = [
  ...words`http://tempuri.org http://tempuri.org/ http://TEMPURI.org/ urn:x http://schemas.xmlsoap.org/soap/envelope/
    http://www.w3.org/2003/05/soap-envelope http://www.w3.org/XML/1998/namespace http://www.w3.org/2000/xmlns/
    http://www.w3.org/2001/XMLSchema-instance http://tempuri.org/&#x20;`,
  ...['', 'a b &quot;c&quot; &lt;d&gt;'],
];

/** Attributes, of which some belong together. */
export const ATTRIBUTES: readonly string[] = [
  ...[`${XSI} xsi:nil="true"`, `${XSI} xsi:nil="maybe"`, `${XSI} xsi:type="unbound:int"`],
  ...['string', 'int', 'dateTime'].map((type) => `${XSI} ${XSD} xsi:type="xsd:${type}"`),
  'xmlns:e="http://schemas.xmlsoap.org/soap/encoding/" e:arrayType="e:string[1000000000]"',
  ...['href="#id1"', 'id="id1"', 'soap:mustUnderstand="1"'],
  'soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"',
  ...['a="1" a="2"', 'xmlns:a="urn:1" xmlns:b="urn:1" a:x="1" b:x="2"', 'xml:space="preserve"', 'xmlns:xml="urn:x"'],
  ...['xmlns:xmlns="urn:x"', 'xmlns:a=""', 'unbound:a="1"', 'a="&lt;&amp;&#13;"', 'a="<"', 'a="&undefined;"'],
];

/** Blocks of a SOAP header. */
export const HEADER_BLOCKS: readonly string[] = [
  ...['1', '0', 'yes'].map((value) => `<h:A xmlns:h="urn:h" soap:mustUnderstand="${value}"/>`),
  '<h:A xmlns:h="urn:h" soap:mustUnderstand="true" soap:role="http://www.w3.org/2003/05/soap-envelope/role/none" soap:actor="urn:other"/>',
  ...['<xml:A soap:mustUnderstand="1"/>', '<A soap:mustUnderstand="1"/>', '<soap:Upgrade soap:mustUnderstand="1"/>'],
  '<w:ReplyTo xmlns:w="http://www.w3.org/2005/08/addressing"><w:Address>http://127.0.0.1:9/</w:Address></w:ReplyTo>',
  '<Ünï:é xmlns:Ünï="urn:&quot;&lt;&amp;" soap:mustUnderstand="1"/>',
];

/** What may stand before the root element, and what may not. */
export const PROLOGS: readonly string[] = [
  ...['', '\ufeff', 'text', '<!-- before -->', '<?xml-stylesheet href="a"?>', ' <?xml version="1.0"?>'],
  ...['<?xml version="1.0"?>', '<?xml version="1.1"?>', "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>"],
  ...['utf-16', 'iso-8859-1', 'koi8-r'].map((name) => `<?xml version="1.0" encoding="${name}"?>`),
  ...['<?xml encoding="utf-8" version="1.0"?>', '<!DOCTYPE soap:Envelope>'],
  '<!DOCTYPE a [<!ENTITY x SYSTEM "urn:nowhere">]>',
  '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;&x;">]>',
];

export const METHODS = words`GET POST PUT DELETE PATCH OPTIONS TRACE HEAD PROPFIND CONNECT post FOO M-SEARCH QUERY`;

export const CONTENT_TYPES: readonly string[] = [
  ...words`text/xml text/xml; application/soap+xml application/xml application/json application/x-www-form-urlencoded ; / text/
    text/\u00fc`,
  ...['text/xml; charset', 'text/xml; charset="utf-8"', 'TEXT/XML; CHARSET=UTF-8', 'text/xml, text/xml', ''],
  ...words`utf-8 utf-16 iso-8859-1 us-ascii koi8-r __proto__`.map((charset) => `text/xml; charset=${charset}`),
  ...words`utf-8 iso-8859-1`.map((charset) => `application/x-www-form-urlencoded; charset=${charset}`),
  'application/soap+xml; action="http://tempuri.org/GetDoctor"',
  ...['application/soap+xml; action="nothing"; charset=utf-8', 'application/soap+xml; action=""'],
  ...['multipart/form-data; boundary=x', 'multipart/related; type="application/xop+xml"'],
  `text/xml; a=${'b'.repeat(5000)}`,
];

export const ACTIONS: readonly string[] = [
  ...words`"" " "'" "http://tempuri.org/GetDoctor" http://tempuri.org/GetDoctor "http://tempuri.org//GetDoctor"
    "http://tempuri.org/Fetch_Details" "http://tempuri.org/__proto__" "constructor"`,
  ...['', 'x'.repeat(4000)],
];

export const EXTRA_HEADERS: readonly string[] = [
  ...words`Content-Encoding:gzip Content-Encoding:identity Content-Encoding: Accept:application/json Accept:*/* Accept:x
    Accept-Language:hi Expect:100-continue Expect:something X-Forwarded-Host:evil.example X-Forwarded-Proto:https
    X-HTTP-Method-Override:DELETE Range:bytes=0-1 If-None-Match:* Cookie:a=b __proto__:x constructor:x toString:x Origin:null
    Idempotency-Key:k X:\u00e9 Connection:close Connection:Upgrade Upgrade:h2c Transfer-Encoding:identity Content-Length:5
    Content-Length:+5 Trailer:X Host:evil.example`,
  ...['Accept:application/json;q=0.1, text/xml', `Accept:${'a/b,'.repeat(1000)}application/json`, 'Via:1.1 a'],
  ...['Accept-Encoding:gzip, br', 'Authorization:Basic !', 'Bad Name:x', 'Transfer-Encoding:gzip, chunked', 'X:\u0001'],
  ...[10_000, 20_000].map((length) => `X:${'y'.repeat(length)}`),
];

const BELOW = words`/ //GetDoctor /GetDoctor/ /getdoctor /Get%44octor /Get%2fDoctor /% /%zz /%00 /%ff /%F0%9F%98%80 /__proto__
  /constructor /toString /<b> /../TPWebServices.asmx ?wsdl ?WSDL&x=y ?singleWsdl ?disco ?wsdlfoo ?op=GetDoctor ?op=<script>
  ?op=%zz ?op=__proto__ ?%ff /GetDoctor?centerid=2 ;a=b`;

export const PATHS: readonly string[] = [
  ...BELOW.map((rest) => `/TPWebServices.asmx${rest}`),
  ...words`/ // * /TPWebServices.asmx /tpwebservices.asmx /%54PWebServices.asmx /index.html /../../x TPWebServices.asmx
    http://evil.example/TPWebServices.asmx http://localhost/TPWebServices.asmx?wsdl`,
  ...['', '/\u00e9', `/${'a'.repeat(9000)}`],
];
