/**
 * Where a supervisor checks whether the process is alive. Such a request is never refused, because the supervisor would then restart the
 * process.
 */
export const HEALTH_PATH = '/healthz';
