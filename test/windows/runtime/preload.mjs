// Loaded before everything that runs on Wine: what Node 22 lacks of Node 26, and what Wine 8 lacks of Windows 10.
import 'temporal-polyfill/global';

// Wine does not know TCP_KEEPIDLE (Windows 10, 1709): Node would fail every connection that asks for keep-alive probes, as `connect UNKNOWN`.
// The probes are left out; connections that stay open are not concerned.
process.binding('tcp_wrap').TCP.prototype.setKeepAlive = () => 0;

// Whatever starts refuses an older Node than that of package.json. This one is older, and the rest of this file is why it will do here.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '26.0.0' } });
