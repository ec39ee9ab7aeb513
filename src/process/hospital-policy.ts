import type { Policy } from '../operations/dependencies.ts';
import type { Config } from '../settings/config.ts';

/** What the settings say about the hospital's rules. */
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
