// What both bundles need: a script that can stand in a page, with the licences of what is bundled at its end.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const bundled = ['cytoscape', '@dagrejs/dagre', '@dagrejs/graphlib', 'uplot'];

function licence(modules, name) {
  const folder = join(modules, name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

export function withLicences(script, modules) {
  const notices = bundled.map((name) => licence(modules, name)).join('\n').replaceAll('*/', '* /');
  return inPage(`${script}\n/*\n${notices}*/\n`);
}

export function inPage(script) {
  if (/<\/script|<!--/i.test(script)) throw new Error('a script cannot stand in the page');
  return script;
}
