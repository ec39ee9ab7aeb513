import { doctorCommand } from '../../../src/commands/doctor-command.ts';
import { MACHINE as machine } from './run-doctor.ts';
import { runHere } from './run-here.ts';

/** What the doctor says about a subject, such as the guards, of the database at a URL; empty if it says nothing. */
export async function doctorsLine(url: string, subject: string): Promise<string> {
  const environment = { DATABASE_URL: url, PORT: '0' };
  const { output } = await runHere(doctorCommand, [], { environment, machine, clock: Date.now });
  return new RegExp(`^\\w+ +${subject} .*$`, 'm').exec(output)?.[0] ?? '';
}
