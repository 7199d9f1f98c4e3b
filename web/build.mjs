// Bundles the script and the style of report.html: node build.mjs FOLDER writes report.js, report.css and report.sha256
// there. The licences of what is bundled stand at the end of the script. tools/bundle-report calls this.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { withLicences } from './bundle.mjs';

const out = process.argv[2];
const options = { bundle: true, minify: true, write: false, logLevel: 'warning', legalComments: 'none' };
const script = await build({ ...options, entryPoints: ['./src/main.ts'], format: 'iife', target: 'es2020' });
const style = await build({ ...options, entryPoints: ['./src/style.css'] });
const code = withLicences(script.outputFiles[0].text.trim(), 'node_modules');

mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'report.js'), code);
writeFileSync(join(out, 'report.css'), style.outputFiles[0].text);
writeFileSync(join(out, 'report.sha256'), createHash('sha256').update(code).digest('base64'));
