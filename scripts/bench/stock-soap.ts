// The `soap` library on Express as its README starts it, with our WSDL and constant results: no store, no rules.
// `node stock-soap.ts PORT FILE`, where FILE contains the results by operation as JSON.
import { readFileSync } from 'node:fs';
import express from 'express';
import soap from 'soap';

const [port, file] = process.argv.slice(2);
const results = JSON.parse(readFileSync(String(file), 'utf8')) as Record<string, unknown>;
const operations = Object.fromEntries(
  Object.entries(results).map(([name, result]) => [name, () => ({ [`${name}Result`]: result })]),
);
const app = express();
const wsdl = readFileSync(new URL('../../wsdl/TPWebServices.wsdl', import.meta.url), 'utf8');
app.listen(Number(port), '127.0.0.1', () => {
  const services = { TPWebServices: { TPWebServicesSoap: operations } };
  soap.listen(app, '/TPWebServices.asmx', services as never, wsdl, () => console.log('listening'));
});
