/** Regular expressions of more than linear time that are never applied to a long text of a caller, by file and source, with the reason. */
export const NO_CALLERS_TEXT: readonly { readonly path: string; readonly source: string; readonly reason: string }[] = [
  {
    path: 'src/settings/misspelt-settings.ts',
    source: String.raw`_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?)$`,
    reason: 'names of variables of the environment',
  },
  ...[
    String.raw`^(.*?\d)(?:T|,? +(?:at +)?)(\d{1,2}(?:[:.].*| ?[ap]\.?m\.?| ?noon)|\d{4} ?h(?:ou)?rs?\.?|noon)$`,
    String.raw`^(.+?)(?: ?(?:Z|UTC|GMT)|(?<=:\d\d:\d\d(?:\.\d+)?(?: ?[ap]\.?m\.?)? ?|\d[ T]+\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)? | (?=\+))([+-])(\d\d):?(\d\d))$`,
  ].map((source) => ({ path: 'src/contract/form-date-time.ts', source, reason: 'texts of up to 64 characters' })),
  ...[
    String.raw`\s*(\d{1,5}(?:\.\d{1,3})?)\s*([a-z]*)\.?[\s,]*(?:and\s)?`,
    String.raw`(?:\+|\s*\/\s*[mf]|\bold)?\s*$`,
  ].map((source) => ({ path: 'src/appointments/read-patient.ts', source, reason: 'an age of up to 40 characters' })),
  { path: 'src/settings/server-settings.ts', source: String.raw`\/+$`, reason: 'PUBLIC_URL' },
];

/** Files that build regular expressions at run time, with what they are built from. */
export const CONSTRUCTED: Readonly<Record<string, string>> = {
  'src/xml/xml-characters.ts': 'one class of characters',
  'src/contract/rewrite-wsdl.ts': 'names of the contract, applied to its own text',
  'src/vocabulary/template-variables.ts': 'words of a fixed list',
  'src/reference/read-csv.ts': 'the separator of a file that an operator imports',
  'src/xml/xml-scanner.ts': 'names and values, each of which ends at a character that it cannot contain',
  'src/messages/gateways/delivery-receipt.ts': 'a word of a fixed list before a value of bounded length',
  'src/messages/gateways/http-template.ts': 'a pattern of the operator, in a file of its own',
  'src/messages/gateways/provider-reports.ts': 'a pattern of the operator, in a file of its own',
  'src/commands/smoke-command.ts': 'a field of a fixed name in an answer of the service',
  'src/appointments/read-patient.ts': 'bounded digits and names of units, for texts of up to 40 characters',
  'src/commands/patient/find-records.ts': 'letters and digits that an operator enters',
  'src/transports/pages/assets/call.js': 'the pattern of src/reference/write-csv.ts, in a browser',
  'src/commands/rehearse/trial.ts': 'a field of a fixed name in an answer of this service',
};
