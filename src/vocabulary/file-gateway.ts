/** The name of the gateway `SMS_GATEWAY=file:…`, in the start message and in each message that it accepted. */
export const fileGatewayName = (path: string): string => `file ${path}`;

/**
 * Whether a message was written to a file, and therefore sent to no phone. `gateway` is the message's gateway, or null if none has accepted
 * it yet.
 */
export const isFileGateway = (gateway: string | null): boolean => gateway?.startsWith(fileGatewayName('')) === true;
