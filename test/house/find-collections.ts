import { parseSync } from 'oxc-parser';

/** The parts of a node of the syntax tree that matter here. */
interface SyntaxNode {
  readonly type?: string;
  readonly name?: string;
  readonly callee?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
  readonly property?: SyntaxNode;
  readonly id?: SyntaxNode;
  readonly key?: SyntaxNode;
  readonly left?: SyntaxNode;
  readonly init?: SyntaxNode;
  readonly elements?: readonly SyntaxNode[];
}

/** What is known of the place of a node: how many functions are around it, and after what a collection there is named. */
interface Place {
  readonly depth: number;
  readonly name: string;
  /** The depth of the variable that holds it; undefined for a property. */
  readonly variableOf: number | undefined;
}

const isFunction = (type = ''): boolean => /Function(?:Expression|Declaration)$/.test(type);

/** One that begins empty: what is filled when it is made is a constant. An array counts as one only as a property or in a module. */
const isEmpty = ({ type, callee, arguments: given, elements }: SyntaxNode): boolean =>
  type === 'ArrayExpression'
    ? elements?.length === 0
    : type === 'NewExpression' &&
      (callee?.name === 'LRUCache' || (/^(?:Weak)?(?:Map|Set)$/.test(callee?.name ?? '') && given?.length === 0));

/** Finds the collections of a file that may outlive a call: of a module, of an instance or an object, and local ones that inner functions use. */
export function findCollections(path: string, text: string): readonly string[] {
  const found = new Set<string>();
  const locals = new Map<string, number>();
  const visit = (node: unknown, place: Place): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const one of node) visit(one, place);
      return;
    }
    const { type, name, id, key, left, init } = node as SyntaxNode;
    if (isEmpty(node as SyntaxNode) && place.name !== '') {
      const isArray = type === 'ArrayExpression';
      if (place.variableOf === undefined || place.variableOf === 0) {
        if (!isArray || place.depth === 0 || place.name.startsWith('this.')) found.add(place.name);
      } else if (!isArray) locals.set(place.name, place.variableOf);
    }
    const within = locals.get(name ?? '');
    if (type === 'Identifier' && within !== undefined && within < place.depth) found.add(name as string);
    let inside = place;
    if (isFunction(type)) inside = { depth: place.depth + 1, name: '', variableOf: undefined };
    if (type === 'VariableDeclarator' && init !== null)
      inside = { ...place, name: id?.name ?? '', variableOf: place.depth };
    if (type === 'PropertyDefinition') inside = { ...place, name: `this.${key?.name}`, variableOf: undefined };
    if (type === 'Property') inside = { ...place, name: `{${key?.name}}`, variableOf: undefined };
    if (type === 'AssignmentExpression' && left?.type === 'MemberExpression') {
      inside = { ...place, name: `this.${left.property?.name}`, variableOf: undefined };
    }
    for (const child of Object.values(node)) visit(child, inside);
  };
  visit(parseSync(path, text).program, { depth: 0, name: '', variableOf: undefined });
  return [...found].sort();
}
