/** Options that open a debugger, or weaken TLS or the reading of requests. */
const WEAKENING = /(?:^|\s)["']?(--(?:inspect|tls-|insecure-http-parser)[\w.-]*)/;

/**
 * What Node itself would take from the environment although it undoes what the service promises, one sentence each: databases and gateways
 * would be believed without a certificate, or anyone could read the memory.
 */
export function nodeMistakes(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { NODE_TLS_REJECT_UNAUTHORIZED: unauthorized, NODE_OPTIONS = '' } = environment;
  const mistakes: string[] = [];
  if (unauthorized === '0') {
    const instead = 'NODE_EXTRA_CA_CERTS with the issuer of the certificate';
    mistakes.push(`NODE_TLS_REJECT_UNAUTHORIZED=0: expected no such variable, or ${instead}`);
  }
  const option = WEAKENING.exec(NODE_OPTIONS)?.[1];
  if (option !== undefined) mistakes.push(`NODE_OPTIONS=${option}: expected no such option`);
  return mistakes;
}
