/** Of wall time, which knows no clock changes. */
export const MINUTES_PER_DAY = 1440;
