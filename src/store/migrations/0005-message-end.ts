import type { Step } from './step.ts';

/** When a message ended, for what became of the last hour's: a message without a receipt ended when the gateway accepted it. */
export const WITH_MESSAGE_END: Step = {
  statements: () => ['CREATE INDEX message_by_end ON message (coalesce(finished_on, submitted_on))'],
};
