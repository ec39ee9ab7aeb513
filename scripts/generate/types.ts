import type { Contract, Field, Operation, Parameter, RecordType } from '../../src/contract/contract.ts';

const LINE_WIDTH = 120;

/** The TypeScript types of the contract's inputs, result records and implementations, formatted as Biome formats them. */
export function generatedTypes(contract: Contract): string {
  const blocks = [
    '// Generated from wsdl/TPWebServices.wsdl by npm run generate. Do not edit.',
    "import type { DateTimeValue } from './contract.ts';",
    operationNames(contract.operations),
    ...contract.operations.map(inputType),
    ...contract.types.map(recordType),
    implementations(contract.operations),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function operationNames(operations: readonly Operation[]): string {
  const members = operations.map(({ name }) => `  | '${name}'`).join('\n');
  return `${comment('Names of the operations.', '')}\nexport type OperationName =\n${members};`;
}

function inputType({ name, documentation, parameters }: Operation): string {
  return `${comment(`Input of ${name}. ${documentation}`, '')}\nexport interface ${name}Input {\n${parameters.map(inputMember).join('\n')}\n}`;
}

const INPUT_TYPES = { int: 'number', string: 'string', dateTime: 'DateTimeValue' } as const;

function inputMember({ name, type, required, documentation }: Parameter): string {
  return `${comment(documentation, '  ')}\n  ${member(name, INPUT_TYPES[type], required)}`;
}

// A type alias and not an interface: only an alias can be assigned to the contract's ResultRecord.
function recordType({ name, documentation, fields }: RecordType): string {
  return `${comment(documentation, '')}\nexport type ${name} = {\n${fields.map(resultMember).join('\n')}\n};`;
}

// The first sentence says what the field is; the lists of codes after it would be repeated in every record.
function resultMember({ name, type, required, repeated, documentation }: Field): string {
  const [sentence = ''] = documentation.split(/(?<=\.) /);
  const item = resultTypeName(type);
  // A repeated field is always an array, empty if it does not occur.
  const shape = repeated ? member(name, `readonly ${item}[]`, true) : member(name, item, required);
  return `${comment(sentence, '  ')}\n  ${shape}`;
}

function resultTypeName(type: Field['type']): string {
  if (typeof type !== 'string') return type.name;
  if (type === 'int') return 'number';
  return type === 'dateTime' ? 'string' : type;
}

const member = (name: string, type: string, required: boolean): string =>
  required ? `readonly ${name}: ${type};` : `readonly ${name}?: ${type} | undefined;`;

function implementations(operations: readonly Operation[]): string {
  const members = operations.map(({ name, resultType }) => {
    const line = `  readonly ${name}: (input: ${name}Input, context: Context) => Promise<${resultType.name}>;`;
    if (line.length <= LINE_WIDTH) return line;
    return `  readonly ${name}: (\n    input: ${name}Input,\n    context: Context,\n  ) => Promise<${resultType.name}>;`;
  });
  const text = 'One function an operation. `Context` is what a call carries besides its parameters.';
  return `${comment(text, '')}\nexport interface Implementations<Context> {\n${members.join('\n')}\n}`;
}

/** A doc comment, on several lines if one is too short. */
function comment(text: string, indent: string): string {
  // The documentation may contain anything, including text that would end the comment.
  const safe = text.replaceAll('*/', '* /');
  const line = `${indent}/** ${safe} */`;
  if (line.length <= LINE_WIDTH) return line;
  const lines = [''];
  for (const word of safe.split(' ')) {
    const last = lines.length - 1;
    const longer = lines[last] === '' ? word : `${lines[last]} ${word}`;
    if (`${indent} * ${longer}`.length <= LINE_WIDTH) lines[last] = longer;
    else lines.push(word);
  }
  return `${indent}/**\n${lines.map((words) => `${indent} * ${words}`).join('\n')}\n${indent} */`;
}
