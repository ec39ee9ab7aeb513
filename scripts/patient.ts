// npm run patient -- find|export|erase: the data stored about one patient. See docs/patient-data.md.
import { patientCommand } from '../src/commands/patient/patient-command.ts';
import { newCorrelationId } from '../src/transports/correlation-id.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await patientCommand(process.argv.slice(2), { ...thisProcess('patient'), newCorrelationId });
