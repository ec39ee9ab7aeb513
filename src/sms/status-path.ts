/** Path of status callbacks, followed by the secret. */
export const STATUS_PATH = '/sms/status';
