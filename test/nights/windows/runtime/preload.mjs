// Loaded before everything that runs on Wine: what Node 22 lacks of Node 26, and what Wine 8 lacks of Windows 10.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import 'temporal-polyfill/global';

// Compiling takes most of the time of a start. Node writes the cache when a process ends by itself; this test ends the service by force.
enableCompileCache(fileURLToPath(new URL('../cache', import.meta.url)));
if (/[\\/]src[\\/](main\.ts|start\.js)$/.test(process.argv[1] ?? '')) setInterval(flushCompileCache, 2000).unref();

// Wine does not know TCP_KEEPIDLE (Windows 10, 1709): Node would fail every connection that asks for keep-alive probes, as `connect UNKNOWN`.
// The probes are left out; connections that stay open are not concerned.
process.binding('tcp_wrap').TCP.prototype.setKeepAlive = () => 0;

// Whatever starts refuses an older Node than that of package.json. This one is older, and the rest of this file is why it will do here.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '26.0.0' } });

// In Node since 23, 25 and 26.
Promise.try ??= async (work, ...args) => work(...args);
Uint8Array.fromBase64 ??= (text) => {
  const plain = text.replace(/[\t\n\f\r ]/g, '');
  if (Buffer.from(plain, 'base64').toString('base64') !== plain) throw new SyntaxError('not base64');
  return new Uint8Array(Buffer.from(plain, 'base64'));
};
for (const { prototype } of [Map, WeakMap]) {
  prototype.getOrInsertComputed ??= function getOrInsertComputed(key, compute) {
    if (!this.has(key)) this.set(key, compute(key));
    return this.get(key);
  };
}
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (text, { returnArrays = false } = {}) {
  const statement = prepare.call(this, text);
  statement.setReturnArrays(returnArrays);
  return statement;
};
