/** Zones that together cover every kind of time zone rule. */
export const ZONES = [
  'Asia/Kolkata',
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Asia/Gaza',
  'UTC',
] as const;
