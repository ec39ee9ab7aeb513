/** Of wall time, which knows no clock changes. */
export const MINUTES_A_DAY = 1440;
