// The `soap` library on Express, with our WSDL, without store and rules. `node soap-library.ts PORT FILE`: as its README starts it; FILE contains
// the results by operation as JSON. `node soap-library.ts PORT FILE limit`: behind body-parser, with a reader and a writer that do nothing, which
// is the least that its listener costs; FILE contains the answer to GetDoctor.
import { readFileSync } from 'node:fs';
import bodyParser from 'body-parser';
import express from 'express';
import soap from 'soap';
import { ownWsdl } from '../../src/contract/wsdl-document.ts';
import { connectionLimits } from '../../src/http/connection-limits.ts';
import { listen } from '../../src/http/http-server.ts';

const PATH = '/TPWebServices.asmx';
const [port, file, limit] = process.argv.slice(2);
const text = readFileSync(String(file), 'utf8');
const [, written = ''] = /<soap:Body>(.*)<\/soap:Body>/s.exec(text) ?? [];

class ConstantWsdl extends soap.WSDL {
  override xmlToObject = () => ({ Body: { GetDoctor: {} } });
  override objectToDocumentXML = () => written;
}

const results = limit === undefined ? (JSON.parse(text) as Record<string, unknown>) : { GetDoctor: {} };
const operations = Object.fromEntries(
  Object.entries(results).map(([name, result]) => [name, () => ({ [`${name}Result`]: result })]),
);
const services = { TPWebServices: { TPWebServicesSoap: operations as never } };
const app = express();
const callback = () => console.log('listening');
if (limit === undefined) {
  app.listen(Number(port), '127.0.0.1', () => soap.listen(app, PATH, services, ownWsdl(), callback));
} else {
  app.use(bodyParser.raw({ type: () => true }));
  const options = { path: PATH, services, enableChunkedEncoding: false };
  new soap.Server(app, PATH, services, new ConstantWsdl(ownWsdl(), PATH, {}), options);
  const limits = connectionLimits({ limits: { connections: 10_000 }, access: { trustedProxies: [] } });
  await listen(app, { host: '127.0.0.1', port: Number(port) }, limits, undefined);
  callback();
}
