/** Zones whose rules differ in every way that rules of zones do. */
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
