import { readFileSync } from 'node:fs';

const UNIT = new URL('../../../deploy/systemd/tpwebservices@.service', import.meta.url);

/** The options with which deploy/systemd starts Node; the other files in which a deployment starts it have the same. */
export const DEPLOYED_NODE_OPTIONS: readonly string[] = optionsOf(readFileSync(UNIT, 'utf8'));

function optionsOf(unit: string): readonly string[] {
  const options = /^ExecStart=\S+\/node((?: --\S+)*) \S+\/src\/start\.js$/m.exec(unit)?.[1];
  if (options === undefined) throw new Error(`${UNIT} has no ExecStart that starts Node`);
  return options.split(' ').filter((option) => option !== '');
}
