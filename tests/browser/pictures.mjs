// The pictures of the report in docs/: node pictures.mjs AGON REPOSITORY. tools/pictures calls this.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [agon, repository] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'agon-pictures-'));
const browser = await chromium.launch({
  executablePath: process.env.AGON_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });

// Runs agon, opens its report, and takes it from the top to the end of the legend, or the graph alone.
async function picture(name, words, only = null) {
  execFileSync(agon, [...words, '--out', join(folder, name), '--quiet'], { cwd: repository, stdio: 'ignore' });
  const page = await browser.newPage({ viewport: { width: 1180, height: 860 } });
  await page.goto(pathToFileURL(join(folder, name, 'report.html')).href);
  await page.waitForFunction(() => globalThis.agonReport);
  if (only) {
    await page.locator(only).first().screenshot({ path: join(repository, 'docs', `${name}.png`) });
    return page.close();
  }
  const end = await page.evaluate(() => document.querySelector('.legend').getBoundingClientRect().bottom);
  await page.screenshot({ path: join(repository, 'docs', `${name}.png`), fullPage: true, clip: { x: 0, y: 0, width: 1180, height: end + 10 } });
  await page.close();
}

try {
  await picture('report', ['discover', 'examples/penguins.csv']);
  await picture('sachs-pooled', ['discover', 'sachs', '--bootstrap', '0'], '.canvas');
  await picture('sachs-experiments', ['discover', 'sachs-experiments', '--bootstrap', '0'], '.canvas');
  await picture('report-large', ['discover', 'andes', '--rows', '2000', '--opponent', 'ges', '--moves', '3000']);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
