/** Name of whoever calls while no clients file says who may; the clients file gives it to nobody. */
export const ANONYMOUS_CLIENT = 'anonymous';
