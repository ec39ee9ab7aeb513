import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skipTest } from '../skip-test.ts';

/** A certificate with its private key, as PEM files. */
export interface TestCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
  /** SHA-256, hexadecimal, lower case. */
  readonly fingerprint: string;
}

/** An issuer of certificates for one test run; its keys are in the test's own folder. */
export interface TestIssuer extends TestCertificate {
  /** A certificate for 127.0.0.1 and localhost; with `days` below 0 it has already expired. */
  issue(name: string, days?: number): TestCertificate;
}

/** Skips the tests of a suite, and says why, on a machine that cannot create certificates. */
export function needOpenssl(context: Mocha.Context): void {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
  } catch {
    skipTest(context, 'this machine has no openssl, which makes certificates');
  }
}

/** Creates an issuer in a folder; needs the program openssl. */
export function newIssuer(folder: string, issuer = 'issuer'): TestIssuer {
  const home = join(folder, issuer);
  mkdirSync(home);
  const path = (name: string) => join(home, name);
  const openssl = (...args: string[]) => void execFileSync('openssl', args, { cwd: home, stdio: 'pipe' });
  writeFileSync(path('index.txt'), '');
  writeFileSync(path('serial'), '01');
  writeFileSync(
    path('ca.cnf'),
    [
      '[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=any\nunique_subject=no',
      'certificate=issuer.crt\nprivate_key=issuer.key\nx509_extensions=leaf\n[any]\ncommonName=supplied',
      '[leaf]\nsubjectAltName=IP:127.0.0.1,DNS:localhost\n',
    ].join('\n'),
  );
  const newKey = (name: string, ...args: string[]) =>
    openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`, ...args);
  newKey('issuer', '-x509', '-out', 'issuer.crt', '-subj', `/CN=${issuer}`, '-days', '2');

  function certificate(name: string): TestCertificate {
    const [certFile, keyFile] = [path(`${name}.crt`), path(`${name}.key`)];
    const cert = readFileSync(certFile, 'utf8');
    const fingerprint = createHash('sha256').update(new X509Certificate(cert).raw).digest('hex');
    return { certFile, keyFile, cert, key: readFileSync(keyFile, 'utf8'), fingerprint };
  }

  return {
    ...certificate('issuer'),
    issue: (name, days = 1) => {
      newKey(name, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
      const end = days > 0 ? ['-days', String(days)] : ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z'];
      openssl('ca', '-batch', '-notext', '-config', 'ca.cnf', '-in', `${name}.csr`, '-out', `${name}.crt`, ...end);
      return certificate(name);
    },
  };
}
