// Makes the browser page: node build.mjs ENGINE REPORT OUT. ENGINE holds agon_engine.js and .wasm, REPORT the bundle of
// report.html. One file, OUT/agon.html: the engine stands in it compressed, because a page opened from disk may not read a second file.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { inPage, withLicences } from '../bundle.mjs';

const [engine, report, out] = process.argv.slice(2);
const options = { bundle: true, minify: true, write: false, logLevel: 'warning', legalComments: 'none', target: 'es2022' };
const bundle = async (entry, more) => (await build({ ...options, entryPoints: [entry], ...more })).outputFiles[0].text.trim();
const script = await bundle('app.ts', { format: 'iife' });
const workerScript = await bundle('worker.ts', { format: 'iife' });
const style = await bundle('page.css', {});

const code = withLicences(script, join('..', 'node_modules'));
const worker = inPage(`${readFileSync(join(engine, 'agon_engine.js'), 'utf8')}\n${workerScript}`);
const wasm = readFileSync(join(engine, 'agon_engine.wasm'));
// The report stands in a frame of this page, whose policy holds for it too.
const hashes = [createHash('sha256').update(code).digest('base64'), readFileSync(join(report, 'report.sha256'), 'utf8').trim()];
const parts = { hashes: hashes.map((hash) => `'sha256-${hash}'`).join(' '), style, worker, script: code,
                wasm: gzipSync(wasm, { level: 9 }).toString('base64') };
const page = readFileSync('page.html', 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'agon.html'), page);
console.log(`${join(out, 'agon.html')}: ${(page.length / 1e6).toFixed(2)} MB (engine ${(wasm.length / 1e6).toFixed(2)} MB before compression)`);
