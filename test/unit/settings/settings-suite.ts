import { expect } from 'chai';
import { ConfigError, readConfig } from '../../../src/settings/config.ts';
import type { SettingGroup } from '../../../src/settings/setting.ts';

/** A setting, what the message says is expected, and values that are refused with that message. */
export type WrongValues = readonly [name: string, expected: string, ...values: string[]];

/** The lines that report an environment's mistakes, without the first one. */
export const mistakesOf = (environment: Readonly<Record<string, string>>): readonly string[] =>
  messageOf(environment).split('\n  ').slice(1);

/** The message about an environment's mistakes. */
export function messageOf(environment: Readonly<Record<string, string>>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error(`accepted: ${JSON.stringify(environment)}`);
}

/**
 * What every setting of a group promises: a wrong value is reported with the setting's name, the value and what is expected.
 * `anything` names the settings that accept any text.
 */
export function settingsSuite(
  title: string,
  group: SettingGroup,
  wrong: readonly WrongValues[],
  anything: readonly string[] = [],
): void {
  const settings = new Map(Object.values(group).map((setting) => [setting.name, setting]));
  describe(`Settings: ${title}`, () => {
    for (const [name, expected, ...values] of wrong) {
      it(`refuse an invalid ${name}, with the value and what is expected`, () => {
        for (const value of values) {
          const shown = settings.get(name)?.isSecret ? '…' : value;
          expect(mistakesOf({ [name]: value })).to.include(`${name}=${shown}: ${expected}`);
        }
      });
    }

    it('are all tested with a wrong value, if there is one', () => {
      const tried = new Set([...anything, ...wrong.map(([name]) => name)]);
      expect([...tried].sort()).to.deep.equal([...settings.keys()].sort());
    });
  });
}
