// npm run doctor: looks whether the service can run as it is set up. docs/operating.md tells more.
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
