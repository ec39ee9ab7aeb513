/** Where a supervisor asks whether the process lives. Never refused: whoever asks would start it again. */
export const HEALTH_PATH = '/healthz';
