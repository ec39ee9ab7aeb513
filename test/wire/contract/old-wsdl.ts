import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findElement, parseXmlTree, type XmlTree } from '../cases/xml-tree.ts';

interface OldOperation {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: 'int' | 'string' | 'dateTime' }[];
}

/** The file of the WSDL of the service to be replaced, and its text. It never changes, whatever becomes of our own contract. */
export const OLD_WSDL = fileURLToPath(new URL('../../fixtures/old-service.wsdl', import.meta.url));
export const oldWsdl = readFileSync(OLD_WSDL, 'utf8');

const attribute = ({ attributes }: XmlTree, name: string): string =>
  attributes.find(([key]) => key === `{}${name}`)?.[1] ?? '';

/** The operations of that service, each with its parameters in their order. None returns anything. */
export const oldOperations: readonly OldOperation[] = (
  findElement(parseXmlTree(oldWsdl), '{http://www.w3.org/2001/XMLSchema}schema')?.children ?? []
)
  .filter((element) => !attribute(element, 'name').endsWith('Response'))
  .map((element) => ({
    name: attribute(element, 'name'),
    parameters: (element.children[0]?.children[0]?.children ?? []).map((parameter) => ({
      name: attribute(parameter, 'name'),
      type: attribute(parameter, 'type').replace(/^\{.*\}/, '') as 'int' | 'string' | 'dateTime',
    })),
  }));

/** A WSDL of ours as a caller knows it who generated a proxy when the service was replaced: without the parameters that came later. */
export const withoutLaterParameters = (wsdl: string): string =>
  oldOperations.reduce((text, { name, parameters }) => {
    const known = new Set(parameters.map((parameter) => parameter.name));
    const inputs = new RegExp(
      `(<s:element name="${name}">[\\s\\S]*?<s:sequence>|<wsdl:message name="${name}Http(?:Get|Post)In">)([\\s\\S]*?)(?=</s:sequence>|</wsdl:message>)`,
      'g',
    );
    const parameter = /\s*<(s:element|wsdl:part)\b[^>]*? name="(\w+)"[^>]*?(?:\/>|>[\s\S]*?<\/\1>)/g;
    return text.replace(inputs, (_, head: string, list: string) => {
      return head + list.replace(parameter, (part, _element, given) => (known.has(given) ? part : ''));
    });
  }, wsdl);
