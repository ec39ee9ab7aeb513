import type { Contract } from '../../contract/contract.ts';
import { escapeHtml, page } from './page.ts';

/** The page at the endpoint itself: what the service does and how to import its contract. */
export function servicePage(contract: Contract, endpoint: string): string {
  const address = escapeHtml(endpoint);
  const operations = contract.operations
    .map(
      ({ name, documentation }) =>
        `<li><a href="?op=${escapeHtml(name)}">${escapeHtml(name)}</a>: ${escapeHtml(documentation)}</li>`,
    )
    .join('\n');
  return page(
    contract.serviceName,
    `<h1>${escapeHtml(contract.serviceName)}</h1>
<p>${escapeHtml(contract.documentation)}</p>
<h2>Operations</h2>
<ul>
${operations}
</ul>
<h2>Contract</h2>
<p><a href="?wsdl">WSDL</a> · <a href="?disco">discovery document</a></p>
<p>Import it into a client, for example:</p>
<pre>dotnet-svcutil ${address}?wsdl
wsdl.exe ${address}?wsdl
wsimport ${address}?wsdl</pre>`,
  );
}
