// The upper limit: node:http reads the body and answers constant bytes. `node bare-http.ts PORT FILE`, where FILE contains the answer's body.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file] = process.argv.slice(2);
const body = readFileSync(String(file));
createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    Buffer.concat(chunks).toString();
    response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8', 'Content-Length': body.length });
    response.end(body);
  });
}).listen(Number(port), '127.0.0.1', () => console.log('listening'));
