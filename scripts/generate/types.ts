import type { Contract, Field, Operation, RecordType } from '../../src/contract/contract.ts';

const LINE_WIDTH = 120;

/** The TypeScript types of the contract's inputs, result records and implementations, formatted as Biome formats them. */
export function generatedTypes({ operations, types, fault }: Contract): string {
  const blocks = [
    '// Generated from wsdl/TPWebServices.wsdl by npm run generate. Do not edit. docs/callers/operations.md says what each name means.',
    "import type { DateTimeValue } from './contract.ts';",
    ...operations.map(inputType),
    ...types.filter((type) => type !== fault).map(recordType),
    implementations(operations),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const INPUT_TYPES = { int: 'number', string: 'string', dateTime: 'DateTimeValue' } as const;

function inputType({ name, parameters }: Operation): string {
  if (parameters.length === 0) return `export type ${name}Input = Readonly<Record<string, never>>;`;
  const members = parameters.map((parameter) => member(parameter, INPUT_TYPES[parameter.type]));
  return `export interface ${name}Input {\n${members.join('\n')}\n}`;
}

// A type alias and not an interface: only an alias can be assigned to the contract's ResultRecord.
const recordType = ({ name, fields }: RecordType): string =>
  `export type ${name} = {\n${fields.map(resultMember).join('\n')}\n};`;

function resultMember(field: Field): string {
  const type = resultTypeName(field.type);
  // A repeated field is always an array, empty if it does not occur.
  return field.repeated ? member({ ...field, required: true }, `readonly ${type}[]`) : member(field, type);
}

function resultTypeName(type: Field['type']): string {
  if (typeof type !== 'string') return type.name;
  if (type === 'int') return 'number';
  return type === 'dateTime' ? 'string' : type;
}

const member = ({ name, required }: Pick<Field, 'name' | 'required'>, type: string): string =>
  required ? `  readonly ${name}: ${type};` : `  readonly ${name}?: ${type} | undefined;`;

function implementations(operations: readonly Operation[]): string {
  const members = operations.map(({ name, resultType }) => {
    const line = `  readonly ${name}: (input: ${name}Input, context: Context) => Promise<${resultType.name}>;`;
    if (line.length <= LINE_WIDTH) return line;
    return `  readonly ${name}: (\n    input: ${name}Input,\n    context: Context,\n  ) => Promise<${resultType.name}>;`;
  });
  return `/** One function per operation. \`Context\` is what a call carries besides its parameters. */
export interface Implementations<Context> {\n${members.join('\n')}\n}`;
}
