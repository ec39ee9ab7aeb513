import { z } from 'zod';
import { expectedBy } from '../../settings/expected-by.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import { PLACEHOLDER_NAMES, placeholdersIn } from './placeholders.ts';

const pattern = z.string().refine((source) => {
  try {
    return new RegExp(source, 'u');
  } catch {
    return false;
  }
}, 'expected a regular expression');
const path = z.string().regex(/^(?:[\w-]+|\*)(?:\.(?:[\w-]+|\*))*$|^$/, 'expected names with dots between them');
const text = z.string().superRefine((value, context) => {
  for (const name of placeholdersIn(value)) {
    if (PLACEHOLDER_NAMES.includes(name)) continue;
    context.addIssue({ code: 'custom', message: `unknown {${name}}; known are ${PLACEHOLDER_NAMES.join(', ')}` });
  }
});

/** What a value may depend on, and the possible cases. */
const CHOICES = { encoding: ['GSM-7', 'UCS-2'], flash: ['true', 'false'], hasCallback: ['true', 'false'] } as const;

/** A text with placeholders, or one of several texts, chosen by a property of the message. If a case is missing, the field is omitted. */
type TemplateValue = string | number | boolean | TemplateChoice;
interface TemplateChoice {
  readonly $by: keyof typeof CHOICES;
  readonly [of: string]: TemplateValue;
}
export type TemplateFields = Readonly<Record<string, TemplateValue>>;
/** JSON that contains such values. */
export type TemplateTree = TemplateValue | readonly TemplateTree[] | { readonly [name: string]: TemplateTree };

export const isChoice = (tree: object): tree is TemplateChoice => '$by' in tree;

const value: z.ZodType<TemplateValue> = z.lazy(() => z.union([text, z.number(), z.boolean(), choice]));
const choice: z.ZodType<TemplateChoice> = z
  .object({ $by: z.literal(Object.keys(CHOICES) as (keyof typeof CHOICES)[]) })
  .catchall(value)
  .superRefine(({ $by, ...cases }, context) => {
    const known: readonly string[] = CHOICES[$by];
    for (const of of Object.keys(cases)) {
      if (!known.includes(of))
        context.addIssue({ code: 'custom', message: `expected ${known.join(' or ')}, not ${of}` });
    }
  }) as z.ZodType<TemplateChoice>;
const tree: z.ZodType<TemplateTree> = z.lazy(() => z.union([value, z.array(tree), z.record(z.string(), tree)]));

const fields = z.record(z.string(), value);

const body = z.union([
  z.strictObject({ form: fields }),
  z.strictObject({ json: tree }),
  z.strictObject({ text, escape: z.enum(['none', 'xml']), contentType: z.string() }),
]);

const found = z.union([
  z.strictObject({ /** The first group is what is found. */ match: pattern }),
  z.strictObject({ json: path }),
]);

const answer = z.strictObject({
  /** HTTP statuses such as 202, or `4xx`; absent for any status. */
  status: z.array(z.union([z.int().min(100).max(599), z.string().regex(/^[1-5]xx$/)])).optional(),
  /** What the body must match. */
  body: pattern.optional(),
  /** What JSON in the body must contain: for each path, the values of which it must have one. */
  json: z.record(path, z.array(z.string())).optional(),
  means: z.enum(['submitted', 'refused', 'failed', 'unavailable', 'unknown']),
  /** The location of the provider's id for the message. */
  reference: found.optional(),
  /** The location of the provider's code. */
  code: found.optional(),
});

const receiptStatus = z.enum(['submitted', 'delivered', 'failed', 'expired']);

const callbacks = z.strictObject({
  /** The location of the events: a list of paths, of which the first that leads to an object counts. The empty path is the whole body. */
  events: z.array(path).default(['']),
  /** Name of the field with our SMSID. */
  messageId: z.string().optional(),
  /** Name of the field with the provider's id for the message. */
  reference: z.string().optional(),
  /** The fate of the message: the first match counts, and a callback without a match is ignored. */
  statuses: z.array(z.strictObject({ name: z.string(), match: pattern, means: receiptStatus })),
  /** Name of the field with the provider's code. */
  code: z.string().optional(),
});

/** How to communicate with an HTTP provider. Documented in `docs/operators/text-messages.md`. */
const HTTP_TEMPLATE = z.strictObject({
  /** For people: the provider, the source, peculiarities. */
  about: z.string().optional(),
  method: z.enum(['GET', 'POST', 'PUT']).default('POST'),
  url: text,
  query: fields.default({}),
  headers: fields.default({}),
  body: body.optional(),
  timeoutSeconds: z.number().min(1).max(120).default(30),
  answers: z.array(answer).min(1),
  callbacks: callbacks.optional(),
});

/** As written in a file. */
export type HttpTemplateInput = z.input<typeof HTTP_TEMPLATE>;
export type HttpTemplate = z.output<typeof HTTP_TEMPLATE>;
export type AnswerRule = z.output<typeof answer>;
export type FoundAt = z.output<typeof found>;
export type CallbackDescription = z.output<typeof callbacks>;

/** Checks a template. Throws a SetUpError that lists the mistakes and their locations, one per line. */
export function checkHttpTemplate(input: unknown, name: string): HttpTemplate {
  const read = HTTP_TEMPLATE.safeParse(input, { error: (issue) => expectedBy(issue) ?? OTHER_FORM });
  if (read.success) return read.data;
  const mistakes = read.error.issues.map(
    (issue) => `  ${issue.path.map(String).join('.') || '(all)'}: ${messageOf(issue)}`,
  );
  throw new SetUpError(`The gateway template ${name} has mistakes:\n${[...new Set(mistakes)].join('\n')}`);
}

const OTHER_FORM = 'expected another form, see docs/operators/text-messages.md';

/** For a value that may have several forms, the mistake according to the closest form, which is the one with the fewest mistakes. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message;
  const custom = issue.errors.flat().find(({ code }) => code === 'custom');
  return custom?.message ?? OTHER_FORM;
}
