/** Whether only this machine reaches what listens on an address, or is called by a name. */
export const isLoopbackHost = (host: string): boolean => /^(?:127\.|::1$|localhost$)/.test(host);
