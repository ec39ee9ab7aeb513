import type { Policy } from '../operations/dependencies.ts';
import type { Config } from '../settings/config.ts';

/** The hospital's policy according to the settings. */
export const hospitalPolicy = ({
  timeZone,
  phoneRegion,
  registrationPlaceholders,
  confirmBookings,
  showContactNumbers,
  moves,
  sms,
}: Config): Policy => ({
  timeZone,
  phoneRegion,
  registrationPlaceholders,
  confirmBookings,
  showContactNumbers,
  moves,
  templateRequired: sms.templateRequired,
});
