import { type ReadyService, type ServiceProcess, startProcess, startReady } from './service-process.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

type Settings = Readonly<Record<string, string>>;

/** What a test starts in its own folder; stopped, and the folder removed, after the test. */
export interface StartedServices {
  readonly folder: TemporaryFolder;
  start(settings: Settings): ServiceProcess;
  /** With demo data, and ready. */
  ready(settings?: Settings): Promise<ReadyService>;
}

/** For use in a suite; `common` applies to all of its services, unless a test overrides it. */
export function startedServices(common: Settings = {}): StartedServices {
  let folder: TemporaryFolder;
  let started: ServiceProcess[];
  beforeEach(() => {
    folder = temporaryFolder();
    started = [];
  });
  afterEach(async () => {
    await Promise.all(started.map((service) => service.stop()));
    folder.remove();
  });
  const kept = <Service extends ServiceProcess>(service: Service): Service => {
    started.push(service);
    return service;
  };
  return {
    get folder() {
      return folder;
    },
    start: (settings) => kept(startProcess(folder.path, { ...common, ...settings })),
    ready: async (settings = {}) => kept(await startReady(folder.path, { ...common, ...settings })),
  };
}
