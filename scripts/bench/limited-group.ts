import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Limits = Readonly<Record<string, string | number>>;

let created = 0;

/**
 * The file into which a process writes its id to enter a new cgroup, which is gone when this process ends. The limits are those of version 1,
 * which mounts each controller by itself, and of version 2. Undefined without the right to create a cgroup.
 */
export function limitedGroup(controller: string, version1: Limits, version2: Limits): string | undefined {
  const versions = [[`/sys/fs/cgroup/${controller}`, version1] as const, ['/sys/fs/cgroup', version2] as const];
  for (const [folder, limits] of versions) {
    const group = join(folder, `tpwebservices-bench-${process.pid}-${created++}`);
    try {
      if (!existsSync(join(folder, 'cgroup.procs'))) continue;
      mkdirSync(group);
      process.once('exit', () => rmdirSync(group));
      for (const [name, limit] of Object.entries(limits)) writeFileSync(join(group, name), String(limit));
      return join(group, 'cgroup.procs');
    } catch {}
  }
  return undefined;
}
