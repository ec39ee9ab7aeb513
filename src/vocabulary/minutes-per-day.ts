/** Of wall time, in which there are no clock changes. */
export const MINUTES_PER_DAY = 1440;
