/** Where the authority of a URL ends: its user, hosts and ports. Source: RFC 3986, 3.2. */
const AUTHORITY_END = /[/?#]/;

/** One URL for each host of a URL with several, in order: `postgres://u@h1:5432,h2:5432/d` has two. Source: libpq, "Specifying Multiple Hosts". */
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

/** Whether the host that accepts writes must be found among those of the URL. */
export const namesWritingHost = (url: string): boolean => /[?&]target_session_attrs=read-write(?:&|$)/.test(url);
