import type { Contract, Operation } from '../../contract/contract.ts';
import { escapeHtml, page } from './page.ts';
import { sampleExchanges } from './sample-exchanges.ts';

/** The page of one operation: its parameters, a form that calls it, and a sample of each transport. */
export function operationPage(contract: Contract, operation: Operation, endpoint: string): string {
  const name = escapeHtml(operation.name);
  const rows = operation.parameters
    .map(
      (p) =>
        `<tr><th scope="row">${escapeHtml(p.name)}</th><td>${p.type}</td><td>${escapeHtml(p.documentation)}</td></tr>`,
    )
    .join('\n');
  const inputs = operation.parameters
    .map(
      (p) =>
        `<label>${escapeHtml(p.name)} <small>${p.type}</small><input name="${escapeHtml(p.name)}" value="${escapeHtml(p.example)}"></label>`,
    )
    .join('\n');
  const samples = sampleExchanges(contract, operation, endpoint)
    .map(
      ({ title, request, response }) =>
        `<h2>${escapeHtml(title)}</h2>\n<pre>${escapeHtml(request)}</pre>\n<pre>${escapeHtml(response)}</pre>`,
    )
    .join('\n');
  return page(
    `${operation.name} - ${contract.serviceName}`,
    `<p><a href="${escapeHtml(contract.path)}">${escapeHtml(contract.serviceName)}</a></p>
<h1>${name}</h1>
<p>${escapeHtml(operation.documentation)}</p>
<h2>Parameters</h2>
<div class="wide" tabindex="0" role="region" aria-label="Parameters"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}
</tbody>
</table></div>
<h2>Try it</h2>
<form method="post" action="${escapeHtml(`${contract.path}/${operation.name}`)}">
${inputs}
<button>Call ${name}</button>
</form>
${samples}`,
  );
}
