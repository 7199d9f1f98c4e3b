// Bundles the script and the style of report.html: node build.mjs FOLDER writes report.js, report.css and report.sha256
// there. The licences of what is bundled stand at the end of the script. tools/bundle-report calls this.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const out = process.argv[2];
const bundled = ['cytoscape', '@dagrejs/dagre', '@dagrejs/graphlib', 'uplot'];

function licence(name) {
  const folder = join('node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

const options = { bundle: true, minify: true, write: false, logLevel: 'warning', legalComments: 'none' };
const script = await build({ ...options, entryPoints: ['src/main.js'], format: 'iife', target: 'es2020' });
const style = await build({ ...options, entryPoints: ['src/style.css'] });
const notices = bundled.map(licence).join('\n').replaceAll('*/', '* /');
const code = `${script.outputFiles[0].text.trim()}\n/*\n${notices}*/\n`;
if (/<\/script/i.test(code) || /<!--/.test(code)) throw new Error('the script cannot stand in a page');

mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'report.js'), code);
writeFileSync(join(out, 'report.css'), style.outputFiles[0].text);
writeFileSync(join(out, 'report.sha256'), createHash('sha256').update(code).digest('base64'));
