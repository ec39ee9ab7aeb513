#!/usr/bin/env node
// npm runs `node-gyp rebuild` for every package that holds a binding.gyp, even one that ships its binaries and says
// `gypfile: false`: the lockfile doesn't keep that word. better-sqlite3 is such a package, and a machine with Node and npm alone has
// neither Python nor a compiler. This command, found before npm's own, lets it pass, and stops anything that really wants compiling.
const { existsSync, readFileSync } = require('node:fs');

if (existsSync('prebuilds')) process.exit(0);
const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
console.error(`${name} ships no binaries, and this project compiles nothing.`);
process.exit(1);
