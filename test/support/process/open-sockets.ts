import { existsSync, readdirSync, readlinkSync } from 'node:fs';

/** The number of sockets of a process; none if there is no /proc. */
export function openSockets(processId: number): number {
  const folder = `/proc/${processId}/fd`;
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}
