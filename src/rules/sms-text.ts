import { Refusal } from '../result-codes.ts';

/** Source: 3GPP TS 23.038 (GSM 03.38), 6.2.1 default alphabet, without the escape character. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Source: 3GPP TS 23.038, 6.2.1.1 extension table. Each costs an escape and a septet. */
const EXTENSION = '\f^{}\\[~]|€';

const SEPTETS: ReadonlyMap<string, number> = new Map([
  ...Array.from(BASIC, (character) => [character, 1] as const),
  ...Array.from(EXTENSION, (character) => [character, 2] as const),
]);

export interface MessageMeasure {
  readonly encoding: 'GSM-7' | 'UCS-2';
  readonly segments: number;
}

/** Most segments that a message may take. */
export const MAX_SEGMENTS = 5;

/**
 * How a text travels: GSM-7 if its alphabet has every character, in segments of 160 septets alone or 153 of several, else UCS-2 with
 * 70 or 67 UTF-16 units. No character is split between segments. The empty text takes one.
 * Source: 3GPP TS 23.040, 9.2.3.24.1 concatenated short messages.
 */
export function measureMessage(text: string): MessageMeasure {
  const septets = septetsOf(text);
  if (septets !== undefined) return { encoding: 'GSM-7', segments: segmentsOf(septets, 160, 153) };
  return {
    encoding: 'UCS-2',
    segments: segmentsOf(
      Array.from(text, (character) => character.length),
      70,
      67,
    ),
  };
}

function septetsOf(text: string): number[] | undefined {
  const septets: number[] = [];
  for (const character of text) {
    const cost = SEPTETS.get(character);
    if (cost === undefined) return undefined;
    septets.push(cost);
  }
  return septets;
}

/** Fills segments with characters of the given costs. */
function segmentsOf(costs: readonly number[], alone: number, ofSeveral: number): number {
  if (costs.reduce((sum, cost) => sum + cost, 0) <= alone) return 1;
  let segments = 1;
  let filled = 0;
  for (const cost of costs) {
    if (filled + cost > ofSeveral) {
      segments++;
      filled = 0;
    }
    filled += cost;
  }
  return segments;
}

export interface SmsMode {
  readonly mode: 1 | 2 | 3 | 4;
  readonly name: 'service' | 'promotional' | 'otp' | 'flash';
  /** Messages of the highest go first. */
  readonly priority: number;
  /** Minutes of the day between which it may be sent, the end excluded; absent for any time. */
  readonly window: { readonly from: number; readonly to: number } | undefined;
  /** Minutes after which it is no longer sent; absent for never. */
  readonly expiresAfterMinutes: number | undefined;
  /** Message class 0: shown at once and not kept. Source: 3GPP TS 23.038, 4. */
  readonly flash: boolean;
}

const ANY_TIME = { priority: 0, window: undefined, expiresAfterMinutes: undefined, flash: false } as const;
const SERVICE: SmsMode = { ...ANY_TIME, mode: 1, name: 'service' };

/** By the value of parameter SMSmode; 0 is the default, 1. */
export const SMS_MODES: readonly SmsMode[] = [
  SERVICE,
  SERVICE,
  { ...ANY_TIME, mode: 2, name: 'promotional', window: { from: 10 * 60, to: 21 * 60 } },
  { ...ANY_TIME, mode: 3, name: 'otp', priority: 1, expiresAfterMinutes: 10 },
  { ...ANY_TIME, mode: 4, name: 'flash', flash: true },
];

/** The mode that a value of parameter SMSmode asks for. Throws Refusal UnknownMode. */
export function smsMode(value: number): SmsMode {
  const mode = SMS_MODES[value];
  if (mode === undefined) {
    throw new Refusal(
      'UnknownMode',
      `Parameter SMSmode: ${value} is not known; expected 0 or 1 service, 2 promotional, 3 OTP or 4 flash.`,
      'SMSmode',
    );
  }
  return mode;
}

export type SmsStatus = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export const SMS_STATUSES = {
  1: 'Queued',
  2: 'Sending',
  3: 'Submitted',
  4: 'Delivered',
  5: 'Failed',
  6: 'Expired',
  7: 'Rejected',
  8: 'Dead',
} as const satisfies Record<SmsStatus, string>;

/** The word for a status of a message, 1 to 8. Throws RangeError for another number: the database holds none. */
export function smsStatusText(status: number): string {
  const text = (SMS_STATUSES as Readonly<Record<number, string>>)[status];
  if (text === undefined) throw new RangeError(`There is no message status ${status}.`);
  return text;
}
