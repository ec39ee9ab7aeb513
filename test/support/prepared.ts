import { cleanUpLater } from './clean-up.ts';

/** How the services, stores, folders and clients of the tests are ended. */
interface Ends {
  close?(): unknown;
  dispose?(): unknown;
  remove?(): unknown;
  stop?(): unknown;
}

type Make<T> = (context: Mocha.Context) => T | Promise<T>;

/**
 * For a suite: what `make` returns, made anew before each test and ended after it by its own `close`, `dispose`, `remove` or `stop`. It can
 * be used within tests and hooks, not while the suite is defined.
 */
export const perTest = <T extends object>(make: Make<T>): T => prepared(beforeEach, make);

/** Like `perTest`, but made once, before all tests of the suite, and ended with the file. */
export const perSuite = <T extends object>(make: Make<T>): T => prepared(before, make);

function prepared<T extends object>(first: Mocha.HookFunction, make: Make<T>): T {
  let current: T | undefined;
  first(async function () {
    current = await make(this);
    const ends: Ends = current;
    cleanUpLater(() => (ends.close ?? ends.dispose ?? ends.remove ?? ends.stop)?.call(ends));
  });
  const now = (): T => {
    if (current === undefined) throw new Error('It is made in a hook, which has not run yet.');
    return current;
  };
  return new Proxy({} as T, {
    get: (_, name) => {
      const value = Reflect.get(now(), name);
      // Methods of classes need their own object, because of its private fields.
      return typeof value === 'function' && !Object.hasOwn(now(), name) ? value.bind(now()) : value;
    },
    set: (_, name, value) => Reflect.set(now(), name, value),
    has: (_, name) => Reflect.has(now(), name),
  });
}
