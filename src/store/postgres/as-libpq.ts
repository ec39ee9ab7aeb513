/** node-postgres treats `sslmode=require` as `verify-full` unless told to interpret the parameters as libpq does. */
export const asLibpq = (url: string): string =>
  /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url) ? `${url}&uselibpqcompat=true` : url;
