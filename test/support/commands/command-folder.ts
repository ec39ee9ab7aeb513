import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { auditCommand } from '../../../src/commands/audit/audit-command.ts';
import type { DefineCommand } from '../../../src/commands/command-host.ts';
import { exportCommand } from '../../../src/commands/export-command.ts';
import { importCommand } from '../../../src/commands/import-command.ts';
import { outboxCommand } from '../../../src/commands/outbox-command.ts';
import { patientCommand } from '../../../src/commands/patient/patient-command.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { cleanUpLater } from '../clean-up.ts';
import { type Hospital, openHospital } from '../database/hospital.ts';
import { writeMigratedFile } from '../database/migrated-file.ts';
import { newPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../database/test-database.ts';
import { TEST_NOW } from '../process/start-service.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { runHere } from './run-here.ts';

export interface CommandResult {
  readonly code: number;
  readonly output: readonly string[];
  readonly errors: readonly string[];
}

/** A folder with a database and files in it, and the commands that run there. The database may be on a server that the tests were given. */
export interface CommandFolder {
  readonly path: string;
  readonly databaseFile: string;
  /** For DATABASE_URL. */
  databaseUrl(): Promise<string>;
  write(file: string, content: string | Uint8Array): void;
  read(file: string): string;
  import(...args: readonly string[]): Promise<CommandResult>;
  /** Fails the test unless the command succeeds; returns its lines. */
  imported(...args: readonly string[]): Promise<readonly string[]>;
  /** Fails the test unless the command fails; returns the lines of its errors. */
  refused(...args: readonly string[]): Promise<readonly string[]>;
  export(...args: readonly string[]): Promise<CommandResult>;
  audit(...args: readonly string[]): Promise<CommandResult>;
  outbox(...args: readonly string[]): Promise<CommandResult>;
  patient(...args: readonly string[]): Promise<CommandResult>;
  /** Opens the database while the callback runs. */
  store<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** Runs the operations on the database, with demo data if it is empty. `now`: instant, ms. */
  inHospital<T>(work: (hospital: Hospital) => Promise<T>, now?: number): Promise<T>;
  dispose(): void;
}

/** The database exists and is empty, or with `isNew` does not exist; one on a server always exists. */
export function commandFolder({ isNew = false } = {}): CommandFolder {
  const { path, remove } = temporaryFolder();
  const databaseFile = join(path, 'hospital.db');
  let onServer: OwnDatabase | undefined;
  const prepareDatabase = async (): Promise<string> => {
    if (ON_POSTGRES) {
      onServer = await newPostgresDatabase();
      return onServer.url;
    }
    if (!isNew && !existsSync(databaseFile)) await writeMigratedFile(databaseFile);
    return `sqlite:${databaseFile}`;
  };
  let url: Promise<string> | undefined;
  const databaseUrl = () => {
    url ??= prepareDatabase();
    return url;
  };
  const run = async (command: DefineCommand, args: readonly string[]): Promise<CommandResult> => {
    const environment = { DATABASE_URL: await databaseUrl() };
    const { code, output, errors } = await runHere(command, args, { environment, folder: path });
    const lines = (text: string) => text.split('\n').slice(0, -1);
    return { code, output: lines(output), errors: lines(errors) };
  };
  async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(readConfig({ DATABASE_URL: await databaseUrl() }).database, {
      clock: () => TEST_NOW,
    });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }
  const runImport = (...args: readonly string[]) => run(importCommand, args);
  return {
    path,
    databaseFile,
    databaseUrl,
    write: (file, content) => writeFileSync(join(path, file), content),
    read: (file) => readFileSync(join(path, file), 'utf8'),
    import: runImport,
    imported: async (...args) => outputOf(await runImport(...args)),
    refused: async (...args) => {
      const { code, output, errors } = await runImport(...args);
      expect(output).to.deep.equal([]);
      expect(code).to.equal(1);
      return errors;
    },
    export: (...args) => run(exportCommand, args),
    audit: (...args) => run(auditCommand, args),
    outbox: (...args) => run(outboxCommand, args),
    patient: (...args) => run(patientCommand, args),
    store: inStore,
    inHospital: (work, now = TEST_NOW) =>
      inStore(async (store) => {
        const hospital = await openHospital({}, store);
        hospital.clock.now = now;
        return work(hospital);
      }),
    dispose: cleanUpLater(() => {
      remove();
      void onServer?.remove();
    }),
  };
}

/** The lines of a command; fails the test unless it succeeded without an error. */
export function outputOf({ code, output, errors }: CommandResult): readonly string[] {
  expect(errors).to.deep.equal([]);
  expect(code).to.equal(0);
  return output;
}

export const CENTERS = 'centerid,CenterName\n1,Bengaluru\n2,Mysuru\n';
export const DOCTORS =
  'centerid,DoctorID,DoctorName,Department\n1,101,Dr. Asha Rao,Cardiology\n1,102,Dr. Vikram Shetty,\n2,201,Dr. Anita Urs,\n';
export const HOURS = 'centerid,DoctorID,Days,From,To\n1,101,Mon-Sat,09:00,13:00\n1,101,Mon-Sat,17:00,24:00\n';
export const LEAVE = 'centerid,DoctorID,From,To\n1,101,2027-01-25,2027-01-26\n';
const TEMPLATES = 'tempid,DltTemplateId,Text\n1,1107160000000000001,"Dear {#var#},\nwelcome."\n';

/** Files with a little of everything. */
export const ALL_FILES = {
  centers: CENTERS,
  doctors: DOCTORS,
  'opening-hours': HOURS,
  leave: LEAVE,
  templates: TEMPLATES,
};
export const ALL_NAMES = Object.keys(ALL_FILES).map((name) => `${name}.csv`);

export function writeAll(folder: CommandFolder): void {
  for (const [name, text] of Object.entries(ALL_FILES)) folder.write(`${name}.csv`, text);
}

/** A folder whose database has the contents of these files, which are there, too. */
export async function filledFolder(): Promise<CommandFolder> {
  const folder = commandFolder();
  writeAll(folder);
  await folder.imported(...ALL_NAMES);
  return folder;
}
