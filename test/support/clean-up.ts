type CleanUp = () => unknown;

const ofTest: CleanUp[] = [];
const ofFile: CleanUp[] = [];
/** Undefined in a program that is no test: it cleans up by itself. */
let kept: CleanUp[] | undefined;

/**
 * Cleans up at the end of the test that calls this, or at the end of the file if a `before` or the file itself does; what was started last
 * goes first. Returns the clean-up for who wants it earlier: however often it is called, it runs once.
 */
export function cleanUpLater<T>(cleanUp: () => T): () => T {
  let done: { readonly result: T } | undefined;
  const once = (): T => {
    done ??= { result: cleanUp() };
    return done.result;
  };
  kept?.push(once);
  return once;
}

async function runAll(cleanUps: CleanUp[]): Promise<void> {
  for (let next = cleanUps.pop(); next !== undefined; next = cleanUps.pop()) await next();
}

/** Mocha's root hooks: every run of tests requires this file. */
export function mochaHooks(): Mocha.RootHookObject {
  kept = ofFile;
  return {
    beforeEach: () => {
      kept = ofTest;
    },
    afterEach: async () => {
      kept = ofFile;
      await runAll(ofTest);
    },
    afterAll: () => runAll(ofFile),
  };
}
