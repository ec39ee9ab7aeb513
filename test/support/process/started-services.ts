import { type ReadyService, type ServiceProcess, startProcess, startReady } from './service-process.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

type Settings = Readonly<Record<string, string>>;

/** What a test starts in a folder of its own; ended, and the folder removed, after the test. */
export interface StartedServices {
  readonly folder: TemporaryFolder;
  start(settings: Settings): ServiceProcess;
  /** With demo data, and ready. */
  ready(settings?: Settings): Promise<ReadyService>;
}

/** To be called in a suite; `common` goes to every service of it, below what a test sets. */
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
