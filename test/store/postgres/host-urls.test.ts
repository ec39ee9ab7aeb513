import { expect } from 'chai';
import { hostUrls } from '../../../src/store/postgres/host-urls.ts';

describe('The hosts of DATABASE_URL', () => {
  it('become one URL each, with the rest of the address unchanged', () => {
    expect(hostUrls('postgres://u@h1:5432,[::1]:5433,h3/d?target_session_attrs=read-write')).to.deep.equal([
      'postgres://u@h1:5432/d?target_session_attrs=read-write',
      'postgres://u@[::1]:5433/d?target_session_attrs=read-write',
      'postgres://u@h3/d?target_session_attrs=read-write',
    ]);
  });

  it('leave an address unchanged if it has one host, or the folder of a socket', () => {
    for (const url of [
      'postgresql://u@h:5432/d',
      'postgres:///d?host=/run/postgresql',
      'postgres://u:p@/d?host=/run',
    ]) {
      expect(hostUrls(url)).to.deep.equal([url]);
    }
  });
});
