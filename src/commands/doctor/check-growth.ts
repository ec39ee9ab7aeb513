import { readContract } from '../../contract/read-contract.ts';
import { ownWsdl } from '../../contract/wsdl-document.ts';
import { type Finding, ok, warning } from '../../maintenance/finding.ts';
import type { Config } from '../../settings/config.ts';
import { MINUTES_PER_DAY } from '../../vocabulary/appointments.ts';

/** How much one address may store in a day: feedback, which has the longest texts that are stored, of characters of 4 bytes. */
export function checkGrowth({ limits: { rate } }: Config): Finding {
  if (rate.perMinute === 0) return warning('growth', 'RATE_LIMIT=0: any caller can fill the disk; set a limit.');
  const feedback = readContract(ownWsdl()).operations.find(({ name }) => name === 'FB_Push_Details');
  const characters = feedback?.parameters.reduce((sum, { maxLength = 0 }) => sum + maxLength, 0) ?? 0;
  const gigabytes = Math.ceil((rate.perMinute * MINUTES_PER_DAY * characters * 4) / 1e9);
  return ok('growth', `at RATE_LIMIT=${rate.perMinute}, one address can store up to ${gigabytes} GB of feedback a day`);
}
