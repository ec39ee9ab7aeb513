import { expect } from 'chai';
import { soapUiProject } from '../../scripts/generate/soapui/soapui-project.ts';
import { parseXmlTree, type XmlTree } from '../wire/cases/xml-tree.ts';
import { ownWsdl } from '../wire/contract/own-wsdl.ts';

const SOAPUI = '{http://eviware.com/soapui/config}';

/** The children of a request, whether it is sent over SOAP or as a form. */
const REQUEST = 'description? settings? encoding endpoint request originalUri? assertion* credentials';

/**
 * The children that each element may have, in order, as far as the project uses them; `?` at most one, `*` any number, `+` at least
 * one. Source: soapui.xsd of SmartBear/soapui.
 */
const CHILDREN: Readonly<Record<string, string>> = {
  'soapui-project':
    'description? settings? interface* testSuite* properties? wssContainer? oAuth2ProfileContainer? oAuth1ProfileContainer?',
  'soapui-project/interface': 'description? settings? endpoints operation* resource*',
  'interface/operation': 'description? settings? call*',
  'operation/call': `${REQUEST} wsaConfig?`,
  'interface/resource': 'description? settings? parameters method*',
  'resource/parameters': 'parameter*',
  'parameters/parameter': 'name value style type? default? description?',
  'resource/method': 'description? settings? parameters request*',
  'method/request': `${REQUEST} parameters parameterOrder?`,
  'soapui-project/testSuite': 'description? settings? runType? testCase* properties?',
  'testSuite/testCase': 'description? settings? testStep* properties?',
  'testCase/testStep': 'description? settings? config',
  'testStep/config': 'interface? operation? request? restRequest? transfers*',
  'config/request': `${REQUEST} wsaConfig?`,
  'config/restRequest': `${REQUEST} parameters parameterOrder?`,
  'config/transfers': 'name sourceType? sourceStep? sourcePath targetType? targetStep? targetPath type? upgraded',
  'request/assertion': 'description? settings? configuration',
  'request/credentials': 'authType',
  'properties/property': 'name value?',
};

/** A pattern for the names of an element's children, each followed by a blank. */
const expressionOf = (particles: string): RegExp =>
  new RegExp(`^${particles.replaceAll(/(\w+)([?*+]?) ?/g, '(?:$1 )$2')}$`);

/** The elements whose children are not as listed, each with its children. */
function misplaced(node: XmlTree, parent = ''): readonly string[] {
  const name = node.name.replace(SOAPUI, '');
  const path = parent === '' ? name : `${parent}/${name}`;
  const names = node.children.map((child) => child.name.replace(SOAPUI, ''));
  const isListed = expressionOf(CHILDREN[path] ?? '.*').test(names.map((child) => `${child} `).join(''));
  return [
    ...(isListed ? [] : [`${path}: ${names.join(' ')}`]),
    ...node.children.flatMap((child) => misplaced(child, name)),
  ];
}

const project = soapUiProject(ownWsdl);
const misplacedIn = (text: string): readonly string[] => misplaced(parseXmlTree(text));

describe('The order of elements in the SoapUI project', () => {
  it("is that of SoapUI's schema", () => expect(misplacedIn(project)).to.deep.equal([]));

  for (const { title, from, to } of [
    {
      title: 'a description after the settings',
      from: /(<con:description>.*<\/con:description>)\n(<con:settings\/>)/,
      to: '$2\n$1',
    },
    { title: 'a request without an encoding', from: /<con:encoding>UTF-8<\/con:encoding>\n/, to: '' },
    { title: 'an assertion without a configuration', from: /<con:configuration\/>/, to: '' },
    { title: 'a property transfer without a targetPath', from: /<con:targetPath\/>\n/, to: '' },
  ]) {
    it(`does not allow ${title}`, () => {
      const changed = project.replace(from, to);
      expect(changed).to.not.equal(project);
      expect(misplacedIn(changed)).to.have.length(1);
    });
  }
});
