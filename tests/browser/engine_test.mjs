// The browser's engine beside the native program, without a browser: the same champion and score on every embedded data
// set. node engine_test.mjs AGON ENGINE [NAME ..]: without names all sets, which takes a minute. Prints the seconds of
// both, on one core each; times are never judged.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [agon, folder, ...words] = process.argv.slice(2);
copyFileSync(join(folder, 'agon_engine.js'), 'agon_engine.cjs');  // so that Node knows what it is
const make = createRequire(import.meta.url)('./agon_engine.cjs');
const engine = await make({ wasmBinary: readFileSync(join(folder, 'agon_engine.wasm')), tell: () => false });

function call(request) {
  const text = JSON.stringify(request), bytes = engine.lengthBytesUTF8(text) + 1, pointer = engine._malloc(bytes);
  engine.stringToUTF8(text, pointer, bytes);
  const answer = JSON.parse(engine.UTF8ToString(engine._agon_call(pointer)));
  engine._free(pointer);
  assert.ok(!answer.error, answer.error?.message);
  return answer.ok;
}

// Seconds are those of the processor, as bash counts them: the machine may be busy.
function nativeRun(...asked) {
  const done = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$0" "$@"', agon, ...asked], { encoding: 'utf8', maxBuffer: 1e9 });
  assert.equal(done.status, 0, done.stderr);
  const [user, system] = done.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { native: JSON.parse(done.stdout), seconds: user + system };
}

// Of whatever a run says, what must not depend on where it ran; times differ.
const pairs = (edges) => edges.map((edge) => edge.join(' -> ')).sort();
const digits = (a, b) => (a === b ? 'all' : Math.floor(-Math.log10(Math.abs(a - b) / Math.abs(a))));

const sets = call({ do: 'datasets' }).datasets.map((each) => each.name);
const chosen = words.length > 0 ? words : sets;
console.log('data set            edges  digits   native s  browser s  ratio');
for (const name of chosen) {
  const options = { bootstrap: 0 };
  const { native, seconds: theirs } = nativeRun('discover', name, '--bootstrap', '0', '--threads', '1', '--json', '--quiet');
  const began = process.cpuUsage();
  const { result } = call({ do: 'discover', source: name, options });
  const used = process.cpuUsage(began);
  assert.deepEqual(pairs(result.dag.edges), pairs(native.dag.edges), `${name}: another champion`);
  assert.ok(Math.abs(result.score.champion - native.score.champion) <= 1e-9 * Math.abs(native.score.champion), `${name}: another score`);
  assert.equal(result.data.checksum, native.data.checksum, `${name}: another table`);
  const ours = (used.user + used.system) / 1e6;
  console.log(`${name.padEnd(20)}${String(result.dag.edges.length).padStart(5)}  ${String(digits(result.score.champion, native.score.champion)).padStart(6)}` +
    `${theirs.toFixed(2).padStart(11)}${ours.toFixed(2).padStart(11)}${(ours / theirs).toFixed(2).padStart(7)}`);
}
