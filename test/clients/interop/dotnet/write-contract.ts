// node write-contract.ts [--old | --today]: prints the C# contract and client that dotnet-svcutil --sync --serializer XmlSerializer generates
// from the WSDL without later parameters, for a machine on which NuGet does not provide dotnet-svcutil. With --old it uses the old WSDL,
// whose operations return nothing and declare no fault, and with --today the WSDL as it is. Mono's compiler takes the
// code, too.
import type { Field, RecordType } from '../../../../src/contract/contract.ts';
import { readContract } from '../../../../src/contract/read-contract.ts';
import { oldOperations, withoutLaterParameters } from '../../../wire/contract/old-wsdl.ts';
import { ownWsdl } from '../../../wire/contract/own-wsdl.ts';

const own = readContract(process.argv.includes('--today') ? ownWsdl : withoutLaterParameters(ownWsdl));
const { namespace, fault } = own;
const isOld = process.argv.includes('--old');
interface Operation {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: keyof typeof CSHARP }[];
  readonly resultType?: RecordType;
}
const operations: readonly Operation[] = isOld ? oldOperations : own.operations;
const CSHARP = { int: 'int', string: 'string', dateTime: 'System.DateTime', boolean: 'bool' } as const;
const quoted = JSON.stringify(namespace);

/** The record of a list and the element of its items: a record with only a repeated field is an array in C#. */
function listOf({ type }: Field): { item: RecordType; element: string } | undefined {
  if (typeof type === 'string') return undefined;
  const [only, ...more] = type.fields;
  if (only === undefined || more.length > 0 || !only.repeated || typeof only.type === 'string') return undefined;
  return { item: only.type, element: only.name };
}

/** In the schema's order. An optional number, date or boolean has a second member that says whether it was present. */
function members(fields: readonly Field[]): string {
  return fields
    .map((field, order) => {
      const list = listOf(field);
      if (list !== undefined) {
        return `  [XmlArray(Order = ${order}), XmlArrayItem(${JSON.stringify(list.element)})] public ${list.item.name}[] ${field.name} { get; set; }`;
      }
      const type = typeof field.type === 'string' ? CSHARP[field.type] : field.type.name;
      const member = `  [XmlElement(Order = ${order})] public ${type} ${field.name} { get; set; }`;
      if (field.required || type === 'string') return member;
      return `${member}\n  [XmlIgnore] public bool ${field.name}Specified { get; set; }`;
    })
    .join('\n');
}

const record = ({ name, fields }: RecordType): string =>
  `[XmlType(Namespace = ${quoted})]\npublic class ${name}\n{\n${members(fields)}\n}`;

const signature = ({ name, parameters, resultType }: Operation): string =>
  `${resultType?.name ?? 'void'} ${name}(${parameters.map((p) => `${CSHARP[p.type]} ${p.name}`).join(', ')})`;

function contractMember(operation: Operation): string {
  const action = JSON.stringify(namespace + operation.name);
  const faults = isOld
    ? ''
    : `  [FaultContract(typeof(${fault.name}), Action = ${action}, Name = ${JSON.stringify(fault.name)})]\n`;
  return `  [OperationContract(Action = ${action}, ReplyAction = "*")]\n${faults}  [XmlSerializerFormat(SupportFaults = true)]\n  ${signature(operation)};`;
}

const clientMember = (operation: Operation): string =>
  `  public ${signature(operation)} => Channel.${operation.name}(${operation.parameters.map(({ name }) => name).join(', ')});`;

const lists = new Set(
  own.types.flatMap(({ fields }) => fields).flatMap((field) => (listOf(field) ? [field.type] : [])),
);
const records = isOld ? [] : own.types.filter((type) => !lists.has(type));
process.stdout.write(`using System.ServiceModel;
using System.ServiceModel.Channels;
using System.Xml.Serialization;

namespace Proxy
{
[ServiceContract(Namespace = ${quoted})]
public interface TPWebServicesSoap
{
${operations.map(contractMember).join('\n\n')}
}

public class TPWebServicesSoapClient : ClientBase<TPWebServicesSoap>
{
  public TPWebServicesSoapClient(Binding binding, EndpointAddress address) : base(binding, address) { }
${operations.map(clientMember).join('\n')}
}

${records.map(record).join('\n\n')}
}
`);
