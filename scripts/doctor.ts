// npm run doctor: checks whether the service can run as configured. See docs/operating.md.
import { availableParallelism } from 'node:os';
import { doctorCommand } from '../src/commands/doctor/doctor-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await doctorCommand(process.argv.slice(2), {
  ...thisProcess('doctor'),
  machine: {
    nodeVersion: process.version,
    timeZoneData: process.versions.tz,
    cores: availableParallelism(),
    platform: process.platform,
  },
});
