/** Where a supervisor checks whether the process is alive. Never refused, because the supervisor would then restart it. */
export const HEALTH_PATH = '/healthz';
