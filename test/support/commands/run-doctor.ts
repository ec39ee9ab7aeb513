import { type DoctorHost, doctorCommand } from '../../../src/commands/doctor-command.ts';
import { runHere } from './run-here.ts';

export const MACHINE = {
  nodeVersion: 'v26.10.0',
  timeZoneData: '2026a',
  cores: 2,
  platform: 'linux',
} as const;

/** Runs `tpws doctor` on such a machine, with a free port. */
export const runDoctor = (environment: Readonly<Record<string, string>>, host: Partial<DoctorHost> = {}) =>
  runHere<DoctorHost>(doctorCommand, [], { environment: { PORT: '0', ...environment }, machine: MACHINE, ...host });
