/** The name of the gateway `SMS_GATEWAY=file:…`, in the start message and in each message that it accepted. */
export const fileGatewayName = (path: string): string => `file ${path}`;

/** Whether a message went to a file, and so to no phone. `gateway` is the message's gateway, or null before one accepted it. */
export const isFileGateway = (gateway: string | null): boolean => gateway?.startsWith(fileGatewayName('')) === true;
