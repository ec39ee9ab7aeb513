/** node-postgres treats `sslmode=require` as `verify-full` unless this parameter makes it interpret the others as libpq does. */
export const asLibpq = (url: string): string =>
  /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url) ? `${url}&uselibpqcompat=true` : url;
