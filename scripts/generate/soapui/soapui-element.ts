import { createHash } from 'node:crypto';
import { escapeAttribute, escapeText } from '../../../src/xml/xml-characters.ts';

/** Texts by name: attributes, properties, parameters. */
export type Values = Readonly<Record<string, string>>;

/** What SoapUI replaces by a property's value when it sends a request. */
export const expansion = (scope: 'Project' | 'TestCase', property: string): string => `\${#${scope}#${property}}`;

/** An id that is the same each time the project is generated: SoapUI requires a UUID. */
export function ids(...key: readonly string[]): Values {
  const hex = createHash('sha256').update(key.join('\n')).digest('hex');
  const id = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)];
  return { id: id.join('-') };
}

const startOf = (name: string, attributes: Values): string =>
  `con:${name}${Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`)
    .join('')}`;

/** An element of SoapUI's namespace around children that are XML already. */
export function element(name: string, attributes: Values = {}, children: readonly string[] = []): string {
  const start = startOf(name, attributes);
  return children.length === 0 ? `<${start}/>` : `<${start}>\n${children.join('\n')}\n</con:${name}>`;
}

/** An element with text. */
export const textElement = (name: string, text: string): string =>
  text === '' ? element(name) : `<con:${name}>${escapeText(text)}</con:${name}>`;

/** An element with text that a person may want to read in the file. Throws an Error for text that no CDATA section can contain. */
export function cdataElement(name: string, text: string): string {
  if (text.includes(']]>')) throw new Error(`The ${name} holds "]]>", which would end its CDATA section.`);
  return `<con:${name}><![CDATA[${text}]]></con:${name}>`;
}

/** The properties of a project or test case. */
export const properties = (values: Values): string =>
  element(
    'properties',
    {},
    Object.entries(values).map(([name, value]) =>
      element('property', {}, [textElement('name', name), textElement('value', value)]),
    ),
  );

/** A request that does not log in. */
export const NO_CREDENTIALS = element('credentials', {}, [textElement('authType', 'No Authorization')]);
