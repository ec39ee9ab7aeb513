/** Path of status call-backs; the secret follows. */
export const STATUS_PATH = '/sms/status';
