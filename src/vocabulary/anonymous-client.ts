/** The name of every caller if there is no clients file. The file cannot give this name to a client. */
export const ANONYMOUS_CLIENT = 'anonymous';
