/** node-postgres takes `sslmode=require` for `verify-full` unless told to read the parameters as libpq does. */
export const asLibpq = (url: string): string =>
  /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url) ? `${url}&uselibpqcompat=true` : url;
