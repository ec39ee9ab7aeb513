import { countChanges } from './0001-counters.ts';
import type { Step } from './step.ts';

/** Changes to message templates count as changes to the reference data, with which processes keep them. */
export const TEMPLATES_COUNTED: Step = { statements: (engine) => countChanges('message_template', engine) };
