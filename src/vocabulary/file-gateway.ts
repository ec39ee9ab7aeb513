/** How the gateway of `SMS_GATEWAY=file:…` is named, in the start message and in each message that it took. */
export const fileGatewayName = (path: string): string => `file ${path}`;

/** Whether a message was taken by a file, and so by no phone. `gateway` is what the message has: null before one took it. */
export const isFileGateway = (gateway: string | null): boolean => gateway?.startsWith(fileGatewayName('')) === true;
