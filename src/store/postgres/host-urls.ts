/** The end of a URL's authority, which consists of user, hosts and ports. Source: RFC 3986, 3.2. */
const AUTHORITY_END = /[/?#]/;

/**
 * One URL for each host of a URL that names several, in order: `postgres://u@h1:5432,h2:5432/d` has two. Source: libpq, "Specifying
 * Multiple Hosts".
 */
export function hostUrls(url: string): readonly string[] {
  const authority = url.indexOf('//') + 2;
  const length = url.slice(authority).search(AUTHORITY_END);
  const end = length === -1 ? url.length : authority + length;
  const hosts = Math.max(authority, url.lastIndexOf('@', end - 1) + 1);
  return url
    .slice(hosts, end)
    .split(',')
    .map((host) => url.slice(0, hosts) + host + url.slice(end));
}

/** Whether the URL says to connect to the one of its hosts that accepts writes. */
export const namesWritingHost = (url: string): boolean => /[?&]target_session_attrs=read-write(?:&|$)/.test(url);
