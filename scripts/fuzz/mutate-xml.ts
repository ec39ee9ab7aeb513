import type { Random } from '../../test/support/random/random.ts';
import {
  ALL_EDGE_VALUES,
  ATTRIBUTES,
  EDGE_VALUES,
  HEADER_BLOCKS,
  NAMESPACES,
  ODD_NAMES,
  PROLOGS,
  TOKENS,
} from './dictionary.ts';
import { type Element, type Exchange, escapeText } from './valid-exchange.ts';

/** Changes the envelope in place. */
export type XmlMutation = (exchange: Exchange, envelope: Element, random: Random) => void;

interface Place {
  readonly element: Element;
  readonly parent: Element | undefined;
  readonly index: number;
}

function places(root: Element): Place[] {
  const found: Place[] = [{ element: root, parent: undefined, index: 0 }];
  for (let at = 0; at < found.length; at++) {
    const { element } = found[at] as Place;
    for (const [index, child] of element.children.entries()) {
      if (typeof child !== 'string') found.push({ element: child, parent: element, index });
    }
  }
  return found;
}

const anyPlace = (envelope: Element, random: Random) => random.pick(places(envelope));
const anyElement = (envelope: Element, random: Random) => anyPlace(envelope, random).element;
const leaf = (name: string, text = ''): Element => ({ name, attributes: [], children: text === '' ? [] : [text] });

/** An element that isn't the root, with its parent. */
function innerPlace(envelope: Element, random: Random): (Place & { readonly parent: Element }) | undefined {
  const inner = places(envelope).flatMap(({ parent, ...rest }) => (parent === undefined ? [] : [{ parent, ...rest }]));
  return inner.length === 0 ? undefined : random.pick(inner);
}

export const XML_MUTATIONS: Readonly<Record<string, XmlMutation>> = {
  'drop element': (_exchange, envelope, random) => {
    const place = innerPlace(envelope, random);
    place?.parent.children.splice(place.index, 1);
  },
  'double element': (_exchange, envelope, random) => {
    const place = innerPlace(envelope, random);
    place?.parent.children.push(structuredClone(place.element));
  },
  'rename element': (exchange, envelope, random) => {
    const { element } = anyPlace(envelope, random);
    const names = [
      ...ODD_NAMES,
      element.name.toLowerCase(),
      element.name.toUpperCase(),
      `${element.name}_`,
      `x:${element.name}`,
      `soap:${element.name}`,
      ...exchange.operation.parameters.map((p) => p.name),
      ...['GetDoctor', 'Fetch_Details', 'getdoctor', 'Sent_SMS'],
    ];
    element.name = random.pick(names);
  },
  'reorder children': (_exchange, envelope, random) => {
    const { children } = anyElement(envelope, random);
    for (let i = children.length - 1; i > 0; i--) {
      const j = random.below(i + 1);
      [children[i], children[j]] = [children[j] as Element, children[i] as Element];
    }
  },
  'move element': (_exchange, envelope, random) => {
    const place = innerPlace(envelope, random);
    if (place === undefined) return;
    place.parent.children.splice(place.index, 1);
    anyElement(envelope, random).children.push(place.element);
  },
  'wrap element': (_exchange, envelope, random) => {
    const place = innerPlace(envelope, random);
    if (place === undefined) return;
    let wrapped = place.element;
    const levels = random.pick([1, 1, 2, 12, 13, 14, 100, 300]);
    for (let i = 0; i < levels; i++) wrapped = { name: 'w', attributes: [], children: [wrapped] };
    place.parent.children[place.index] = wrapped;
  },
  'add elements': (_exchange, envelope, random) => {
    const count = random.pick([1, 2, 100, 190, 200, 2000]);
    const element = anyElement(envelope, random);
    const name = random.pick(['x', 'centerid', ...ODD_NAMES.slice(0, 6)]);
    for (let i = 0; i < count; i++) element.children.push(leaf(name, random.oneIn(2) ? 'x' : ''));
  },
  'change namespace': (_exchange, envelope, random) => {
    const declaring = places(envelope).map((place) => place.element);
    const element = random.pick(declaring.filter(({ attributes }) => attributes.length > 0).concat(envelope));
    const name = `"${random.pick(NAMESPACES)}"`;
    const at = element.attributes.findIndex((attribute) => attribute.startsWith('xmlns'));
    if (at < 0) element.attributes.push(`xmlns=${name}`);
    else element.attributes[at] = element.attributes[at]?.replace(/"[^"]*"/, () => name) ?? '';
  },
  'undeclare namespace': (_exchange, envelope, random) => {
    const element = anyElement(envelope, random);
    element.attributes = element.attributes.filter((attribute) => !attribute.startsWith('xmlns'));
  },
  'declare namespace': (_exchange, envelope, random) => {
    const name = random.pick(['xmlns', 'xmlns:x', 'xmlns:soap', 'xmlns:a']);
    anyElement(envelope, random).attributes.push(`${name}="${random.pick(NAMESPACES)}"`);
  },
  'other prefixes': (_exchange, envelope, random) => {
    const prefix = random.pick(['s', 'SOAP-ENV', 'env', 'x', 'अ', 'xmlsoap']);
    for (const { element } of places(envelope)) {
      element.name = element.name.replace(/^soap:/, `${prefix}:`);
      element.attributes = element.attributes.map((attribute) =>
        attribute.replace(/^xmlns:soap=/, `xmlns:${prefix}=`).replace(/^soap:/, `${prefix}:`),
      );
    }
  },
  'other envelope': (_exchange, envelope, random) => {
    envelope.attributes = [`xmlns:soap="${random.pick(NAMESPACES)}"`];
  },
  'add attributes': (_exchange, envelope, random) => {
    anyElement(envelope, random).attributes.push(random.pick(ATTRIBUTES));
  },
  'many attributes': (_exchange, envelope, random) => {
    const count = random.pick([30, 31, 32, 33, 1000]);
    const prefix = random.pick(['a', 'xmlns:a']);
    const element = anyElement(envelope, random);
    for (let i = 0; i < count; i++) element.attributes.push(`${prefix}${i}="v"`);
  },
  'edge value': (exchange, envelope, random) => {
    const { parameters } = exchange.operation;
    if (parameters.length === 0) return;
    const parameter = random.pick(parameters);
    const value = random.pick(random.oneIn(6) ? ALL_EDGE_VALUES : EDGE_VALUES[parameter.type]);
    for (const { element } of places(envelope)) {
      if (element.name === parameter.name) element.children = [escapeText(value)];
    }
  },
  'raw text': (_exchange, envelope, random) => {
    const element = anyElement(envelope, random);
    element.children.splice(random.below(element.children.length + 1), 0, random.pick(TOKENS));
  },
  cdata: (_exchange, envelope, random) => {
    const element = anyElement(envelope, random);
    element.children = element.children.map((c) => (typeof c === 'string' ? `<![CDATA[${c}]]>` : c));
  },
  comment: (_exchange, envelope, random) => {
    anyElement(envelope, random).children.unshift(random.pick(['<!-- c -->', '<!---->', '<!-- -- -->', '<?pi x?>']));
  },
  references: (_exchange, envelope, random) => {
    const element = anyElement(envelope, random);
    element.children = element.children.map((c) =>
      typeof c === 'string'
        ? Array.from(c, (char) => `&#x${(char.codePointAt(0) as number).toString(16)};`).join('')
        : c,
    );
  },
  'white space': (_exchange, envelope, random) => {
    const element = anyElement(envelope, random);
    element.children = element.children.flatMap((c) => [random.pick([' ', '\n\t', '\r\n', '\r', '\u00a0']), c]);
  },
  header: (_exchange, envelope, random) => {
    const children = Array.from({ length: random.pick([1, 1, 2, 40]) }, () => random.pick(HEADER_BLOCKS));
    envelope.children.splice(random.below(2), 0, { name: 'soap:Header', attributes: [], children });
  },
  'second body': (_exchange, envelope, random) => {
    const place = innerPlace(envelope, random);
    if (place !== undefined) envelope.children.push(structuredClone(place.element));
  },
  prolog: (exchange, _envelope, random) => {
    exchange.prolog = random.pick(PROLOGS);
  },
  encoding: (exchange, _envelope, random) => {
    exchange.encoding = random.pick(['latin1', 'utf-16le', 'utf-16be']);
    if (random.oneIn(2)) exchange.prolog = '';
  },
};
