// The reporter of the suites that run on Wine: one line per event, as it happens, so that a run that stands still says where.
module.exports = function Events(runner) {
  const tell = (event, test, error) =>
    process.stdout.write(
      `##${JSON.stringify({ event, file: test.file, title: test.fullTitle(), ms: test.duration, error })}\n`,
    );
  runner.on('test', (test) => tell('begin', test));
  runner.on('pass', (test) => tell('pass', test));
  runner.on('pending', (test) => tell('pending', test));
  runner.on('fail', (test, error) => tell('fail', test, error.stack ?? error.message));
};
