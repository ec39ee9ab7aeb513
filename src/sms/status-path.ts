/** Path of status callbacks; the secret follows it. */
export const STATUS_PATH = '/sms/status';
