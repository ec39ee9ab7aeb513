import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/settings/config.ts';
import { root } from './source-files.ts';

interface SecurityContext {
  runAsNonRoot?: boolean;
  runAsUser?: number;
  seccompProfile?: { type: string };
  allowPrivilegeEscalation?: boolean;
  privileged?: boolean;
  procMount?: string;
  appArmorProfile?: { type: string };
  seLinuxOptions?: { type?: string; user?: string; role?: string };
  capabilities?: { drop?: string[]; add?: string[] };
  sysctls?: { name: string }[];
  windowsOptions?: { hostProcess: boolean };
}

interface Container {
  securityContext: SecurityContext;
  ports: { hostPort?: number }[];
  livenessProbe: { httpGet: { host?: string } };
  readinessProbe: { httpGet: { host?: string } };
  startupProbe: { httpGet: { host?: string } };
  env: { name: string; value: string }[];
  volumeMounts: { mountPath: string }[];
}

interface Pod {
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: SecurityContext;
  containers: [Container];
  volumes: Record<string, unknown>[];
}

const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

function shippedPod(): Pod {
  const documents = parseAllDocuments(read('deploy/kubernetes/tpwebservices.yaml')).map((each) => each.toJS());
  return documents.find(({ kind }) => kind === 'Deployment').spec.template.spec;
}

const VOLUMES = 'configMap csi downwardAPI emptyDir ephemeral persistentVolumeClaim projected secret'.split(' ');
const CONFINED = [undefined, 'RuntimeDefault', 'Localhost'];

const contexts = (pod: Pod) => [pod.securityContext, pod.containers[0].securityContext];

/**
 * What the profile asks for, by field: whether a pod has it, and what breaks it. Source: Kubernetes, "Pod Security Standards", baseline and
 * restricted.
 */
const RULES: Readonly<Record<string, readonly [holds: (pod: Pod) => unknown, breaks: (pod: Pod) => unknown]>> = {
  hostNetwork: [(pod) => !pod.hostNetwork, (pod) => (pod.hostNetwork = true)],
  hostPID: [(pod) => !pod.hostPID, (pod) => (pod.hostPID = true)],
  hostIPC: [(pod) => !pod.hostIPC, (pod) => (pod.hostIPC = true)],
  hostProcess: [
    (pod) => contexts(pod).every(({ windowsOptions }) => !windowsOptions?.hostProcess),
    (pod) => (pod.securityContext.windowsOptions = { hostProcess: true }),
  ],
  privileged: [
    ({ containers: [{ securityContext }] }) => !securityContext.privileged,
    ({ containers: [{ securityContext }] }) => (securityContext.privileged = true),
  ],
  'capabilities.drop': [
    ({ containers: [{ securityContext }] }) => securityContext.capabilities?.drop?.includes('ALL'),
    ({ containers: [{ securityContext }] }) => (securityContext.capabilities = { drop: ['KILL'] }),
  ],
  'capabilities.add': [
    ({ containers: [{ securityContext }] }) =>
      (securityContext.capabilities?.add ?? []).every((name) => name === 'NET_BIND_SERVICE'),
    ({ containers: [{ securityContext }] }) => (securityContext.capabilities = { drop: ['ALL'], add: ['SYS_TIME'] }),
  ],
  volumes: [
    ({ volumes }) => volumes.every((volume) => Object.keys(volume).every((key) => ['name', ...VOLUMES].includes(key))),
    ({ volumes }) => volumes.push({ name: 'host', hostPath: { path: '/' } }),
  ],
  hostPort: [
    ({ containers: [{ ports }] }) => ports.every(({ hostPort }) => !hostPort),
    ({ containers: [{ ports }] }) => ports.push({ hostPort: 80 }),
  ],
  'host of probes': [
    ({ containers: [{ livenessProbe, readinessProbe, startupProbe }] }) =>
      [livenessProbe, readinessProbe, startupProbe].every(({ httpGet }) => !httpGet.host),
    ({ containers: [{ readinessProbe }] }) => (readinessProbe.httpGet.host = '10.0.0.1'),
  ],
  appArmorProfile: [
    (pod) => contexts(pod).every(({ appArmorProfile }) => CONFINED.includes(appArmorProfile?.type)),
    (pod) => (pod.securityContext.appArmorProfile = { type: 'Unconfined' }),
  ],
  seLinuxOptions: [
    (pod) => contexts(pod).every(({ seLinuxOptions }) => seLinuxOptions === undefined),
    (pod) => (pod.securityContext.seLinuxOptions = { user: 'root' }),
  ],
  procMount: [
    ({ containers: [{ securityContext }] }) => [undefined, 'Default'].includes(securityContext.procMount),
    ({ containers: [{ securityContext }] }) => (securityContext.procMount = 'Unmasked'),
  ],
  sysctls: [
    (pod) => (pod.securityContext.sysctls ?? []).length === 0,
    (pod) => (pod.securityContext.sysctls = [{ name: 'kernel.msgmax' }]),
  ],
  seccompProfile: [
    (pod) =>
      pod.securityContext.seccompProfile !== undefined &&
      contexts(pod).every(({ seccompProfile }) => CONFINED.includes(seccompProfile?.type)),
    (pod) => delete pod.securityContext.seccompProfile,
  ],
  allowPrivilegeEscalation: [
    ({ containers: [{ securityContext }] }) => securityContext.allowPrivilegeEscalation === false,
    ({ containers: [{ securityContext }] }) => delete securityContext.allowPrivilegeEscalation,
  ],
  runAsNonRoot: [
    (pod) =>
      pod.securityContext.runAsNonRoot === true && contexts(pod).every(({ runAsNonRoot }) => runAsNonRoot !== false),
    (pod) => delete pod.securityContext.runAsNonRoot,
  ],
  runAsUser: [
    (pod) => contexts(pod).every(({ runAsUser }) => runAsUser !== 0),
    (pod) => (pod.securityContext.runAsUser = 0),
  ],
};

describe("The Deployment under Kubernetes' profile “restricted”", () => {
  for (const [field, [holds, breaks]] of Object.entries(RULES)) {
    it(`has what the profile asks for: ${field}`, () => {
      const pod = shippedPod();
      expect(holds(pod)).to.equal(true);
      breaks(pod);
      expect(holds(pod)).not.to.equal(true);
    });
  }

  it('has a user that can be told from root, because the image names it by a number', () => {
    expect(/^USER (.*)$/m.exec(read('Dockerfile'))?.[1]).to.match(/^[1-9]\d*$/);
  });

  it('writes only to volumes, because everything else is read-only', () => {
    const { containers } = shippedPod();
    const [{ securityContext, volumeMounts }] = containers;
    expect(securityContext).to.have.property('readOnlyRootFilesystem', true);
    const written = [...read('Dockerfile').matchAll(/^ENV \w+=(?:sqlite|file):(.*)$/gm)].map(([, path]) =>
      String(path),
    );
    expect(written).to.have.length(2);
    for (const path of [...written, '/tmp/x']) {
      expect(
        volumeMounts.some(({ mountPath }) => path.startsWith(`${mountPath}/`)),
        path,
      ).to.equal(true);
    }
  });

  it('has settings that the service understands, and time to stop', () => {
    const { containers, terminationGracePeriodSeconds } = shippedPod();
    const { monitoring } = readConfig(Object.fromEntries(containers[0].env.map(({ name, value }) => [name, value])));
    expect(terminationGracePeriodSeconds).to.be.at.least(monitoring.stopGraceSeconds + 10);
  });
});
