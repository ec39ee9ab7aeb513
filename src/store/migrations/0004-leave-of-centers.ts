import type { Step } from './step.ts';

/** Leave without a doctor holds for all doctors of its center, those who are added later included. */
export const LEAVE_OF_CENTERS: Step = {
  nullable: [
    {
      table: 'doctor_leave',
      name: 'doctor_id',
      definition: 'integer',
      meaning: 'The doctor; null for leave of all doctors of the center',
    },
  ],
};
