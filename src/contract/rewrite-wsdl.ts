import { AppointmentStatus, MOVES, type Move } from '../vocabulary/appointments.ts';
import { escapeAttribute } from '../xml/xml-characters.ts';
import { operationUri, TRANSPORT_TITLES, TRANSPORTS, type Transport } from './contract.ts';

// Our WSDL is changed as text, so that all other text stays the same, byte for byte.

/** The WSDL for a deployment's namespace, which occurs in the targetNamespaces, the prefixes bound to it and the soapActions. */
export function withNamespace(wsdl: string, namespace: string): string {
  const [, own = ''] = /\stargetNamespace="([^"]*)"/.exec(wsdl) ?? [];
  const escaped = escapeAttribute(namespace);
  return wsdl
    .replaceAll(`"${own}"`, () => `"${escaped}"`)
    .replaceAll(`soapAction="${operationUri(own, '')}`, () => `soapAction="${operationUri(escaped, '')}`);
}

/** The settings on which what the WSDL says depends. */
export interface StatedSettings {
  readonly moves: readonly Move[];
  readonly transports: readonly Transport[];
  readonly refusals: 'fault' | 'result';
  readonly confirmBookings: boolean;
  readonly showContactNumbers: boolean;
}

const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** What the WSDL says under some settings, always in the same order. */
export const statements = (settings: StatedSettings): readonly string[] => {
  const { moves, transports, refusals, confirmBookings, showContactNumbers } = settings;
  const status = confirmBookings ? 'Booked' : 'Pending';
  return [
    `: ${moves.map(({ type, name }) => `${type} ${name}`).join(', ')}.`,
    `<tp:example setting="APPOINTMENT_TYPES">${(moves.find(({ needsStart }) => needsStart) ?? moves[0])?.type}<`,
    `over ${AND.format(transports.map((transport) => TRANSPORT_TITLES[transport]))}.`,
    `gets a ${refusals === 'fault' ? 'fault whose ServiceFault contains the ResultCode' : 'result with its ResultCode'}.`,
    `<tp:example setting="CONFIRM_BOOKINGS">${AppointmentStatus[status]}<`,
    `<tp:example setting="CONFIRM_BOOKINGS">${status}<`,
    `Phone number of the patient.${showContactNumbers ? '' : ' All but its last four digits are masked.'}`,
    `<tp:example setting="SHOW_CONTACT_NUMBERS">${showContactNumbers ? '+61491570006' : '+*******0006'}<`,
  ];
};

/** What our WSDL says as a file. */
export const STATED_DEFAULTS: StatedSettings = {
  moves: MOVES,
  transports: TRANSPORTS,
  refusals: 'fault',
  confirmBookings: true,
  showContactNumbers: false,
};

/** The WSDL with what is true under these settings in the place of what is true by default. */
export function withSettings(wsdl: string, settings: StatedSettings): string {
  const stated = statements(settings);
  return statements(STATED_DEFAULTS).reduce(
    (text, statement, i) => text.replaceAll(statement, () => stated[i] ?? ''),
    wsdl,
  );
}

/**
 * The WSDL for callers: without comments and annotations, which are for this service and its developers, and without indentation. It has to
 * stay below 64 KiB: WCF's MetadataExchangeClient reads no more by default.
 */
export const withoutNotes = (wsdl: string): string =>
  wsdl
    .replaceAll(/<!--(?:[^-]|-[^-])*-->|<s:appinfo>(?:[^<]|<\/?tp:)*<\/s:appinfo>|xmlns:tp="[^"]*"/g, '')
    .replaceAll(/<s:annotation>\s*<\/s:annotation>/g, '')
    .replaceAll(/\n\s+/g, '\n');

/** The WSDL with `endpointUrl` as the address of all its ports. */
export const withAddress = (wsdl: string, endpointUrl: string): string =>
  wsdl.replaceAll(/(:address location=)"[^"]*"/g, (_, start) => `${start}"${escapeAttribute(endpointUrl)}"`);

/** The WSDL without the forms that are not offered, so that no tool generates anything for their ports, bindings and messages. */
export const withoutForms = (wsdl: string, offered: readonly Transport[]): string =>
  TRANSPORTS.filter((transport) => !offered.includes(transport)).reduce((text, form) => {
    const named = `<wsdl:(\\w+) name="\\w+${form}(?:In|Out)?"`;
    return text.replaceAll(new RegExp(`[ \\t]*${named}[\\s\\S]*?</wsdl:\\1>\\r?\\n?`, 'gi'), '');
  }, wsdl);
