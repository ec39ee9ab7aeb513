import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { root } from '../../house/source-files.ts';

export const RULES_FILE = fileURLToPath(new URL('deploy/prometheus/tpwebservices.rules.yaml', root));

export const rulesText = (): string => readFileSync(RULES_FILE, 'utf8');

/** The alarms' names, in order. */
export const alarmNames = (): readonly string[] =>
  [...rulesText().matchAll(/^ *- alert: (\w+)$/gm)].map(([, name = '']) => name);
