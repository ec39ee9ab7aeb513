/** Scheme and user, then hosts with their ports, then database and parameters. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/@]*@)?)([^/?#]*)(.*)$/;

/** A URL for each host that one of libpq's form names, in its order: `postgres://u@h1:5432,h2:5432/d` has two. Source: libpq, "Specifying Multiple Hosts". */
export function hostUrls(url: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(url) ?? [];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

/** Whether the host that takes writes has to be found among those of the URL. */
export const namesWritingHost = (url: string): boolean => /[?&]target_session_attrs=read-write(?:&|$)/.test(url);
