import type { z } from 'zod';
import { oneOf, quoted } from '../vocabulary/text.ts';

/** What Zod calls the kinds of values. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
};

/**
 * What is expected in a file where its schema does not say it, because Zod's own words are for programmers; undefined where only the schema
 * could.
 */
export function expectedBy(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${KINDS[issue.expected] ?? 'an object'}`;
    case 'invalid_value':
      return `expected ${oneOf(issue.values.map(String))}`;
    case 'too_small':
      return `expected at least ${issue.minimum}`;
    case 'too_big':
      return `expected at most ${issue.maximum}`;
    case 'unrecognized_keys':
      return `there is no field ${issue.keys.map(quoted).join(', ')}`;
    default:
      return undefined;
  }
}
