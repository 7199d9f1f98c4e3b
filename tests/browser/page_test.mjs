// agon.html as a visitor meets it, in headless Chromium, from disk: a file dropped, kinds changed, knowledge, a run and
// its stop, the result, edits and a challenge, exports, hostile names, a broken file. The answers are those of the
// native program. Times are printed, never judged. node page_test.mjs AGON PAGE [SHOTS] writes pictures to SHOTS.
// AGON_BROWSER=firefox takes Firefox; with AGON_SUSPEND=no WebAssembly cannot be suspended there. AGON_ONLY names tests.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keepSaved, launch } from './browsers.mjs';
import { makeLarge } from './large_result.mjs';

const [agon, file, shots = 'shots'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'agon-page-'));
mkdirSync(shots, { recursive: true });
const run = (...words) => execFileSync(agon, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e9 });
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browserName = process.env.AGON_BROWSER ?? 'chromium';
const { browser, seconds: worked } = await launch(browserName, { canSuspend: process.env.AGON_SUSPEND !== 'no' });
const url = pathToFileURL(file).href;
const seconds = (began) => ((performance.now() - began) / 1000).toFixed(1);

// Opens the page, lets `test` use it; then it must have been silent, and no request may have left it. Tests named by
// AGON_ONLY run alone; one that fails does not keep the others from running.
const failed = [];
const only = process.env.AGON_ONLY?.split(',');
async function withPage(name, test, options = {}) {
  if (only && !only.includes(name)) return;
  try {
    await visit(name, test, options);
  } catch (error) {
    console.error(`${name}: ${error.stack}`);
    failed.push(name);
  }
}

async function visit(name, test, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  if (browserName === 'firefox') await context.addInitScript(keepSaved);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const said = [], asked = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => said.push(`dialog: ${dialog.message()}`));
  context.on('request', (request) => asked.push(request.url()));
  const began = performance.now();
  await page.goto(url);
  await page.waitForFunction(() => globalThis.agonPage);
  console.log(`${name}: open in ${seconds(began)} s`);
  await test(page, said);
  assert.deepEqual(said, [], `${name}: the page said something`);
  const left = asked.filter((each) => each !== url && !/^(data|blob|about):/.test(each));
  assert.deepEqual(left, [], `${name}: a request left the page`);
  if (browserName === 'chromium') assert.ok(asked.includes(url), 'requests are seen');  // Firefox does not tell of files
  await context.close();
}

async function drop(page, name, text) {
  const data = await page.evaluateHandle(([fileName, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], fileName, { type: 'text/csv' }));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent('#drop', 'drop', { dataTransfer: data });
}
async function tableOf(page, source) {
  await page.waitForFunction((wanted) => {
    const { state } = globalThis.agonPage;
    return document.querySelector('#data-said .error') || (state.table && state.source === wanted && !state.engine.isBusy);
  }, source, { timeout: 300_000 });
  assert.equal(await page.locator('#data-said .error').count(), 0, await page.locator('#data-said').innerText());
}
const tab = (page, name) => page.click(`#tab-${name}`);
const outcome = (page) => page.evaluate(() => globalThis.agonPage.state.outcome.result);
async function discover(page) {
  await tab(page, 'discover');
  await page.waitForSelector('#discover:not([disabled])');
  await page.waitForFunction(() => !globalThis.agonPage.state.engine.isBusy);
  const began = performance.now(), before = await worked();
  await page.click('#discover');
  await page.waitForSelector('#result:not([hidden])', { timeout: 600_000 });
  await page.waitForFunction(() => document.querySelector('iframe')?.contentWindow.agonReport);
  const clock = `${seconds(began)} s after the click`;
  return before === undefined ? clock : `${clock}, ${(await worked() - before).toFixed(1)} s of the processor`;
}
async function saved(page, selector) {
  if (browserName === 'firefox') {
    await page.evaluate(() => { globalThis.savedFiles.length = 0; });
    await page.click(selector);
    await page.waitForFunction(() => globalThis.savedFiles.length > 0);
    return page.evaluate(async () => ({ name: globalThis.savedFiles[0].name, text: await globalThis.savedFiles[0].blob.text() }));
  }
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

// No rule of WCAG 2 A and AA is broken by what is shown now, in both colours; nor within the report, if it is shown.
async function checkAccess(page, what) {
  for (const theme of ['light', 'dark']) {
    for (const frame of page.frames()) {
      if (!await frame.evaluate(() => Boolean(globalThis.axe))) await frame.evaluate(axe);
      const violations = await frame.evaluate(async (name) => {
        document.documentElement.dataset.theme = name;
        return (await globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], iframes: false })).violations
          .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
      }, theme);
      assert.deepEqual(violations, [], `${what}, ${theme}, ${frame === page.mainFrame() ? 'the page' : 'the report'}`);
    }
  }
  for (const frame of page.frames()) await frame.evaluate(() => { delete document.documentElement.dataset.theme; });
}

const pairs = (edges) => edges.map((edge) => edge.join(' -> ')).sort();
// The native program's answer to the same question, on one thread as in the page.
function sameAsNative(result, ...words) {
  const native = JSON.parse(run('discover', ...words, '--threads', '1', '--json', '--quiet'));
  assert.deepEqual(pairs(result.dag.edges), pairs(native.dag.edges), `${words}: the champion`);
  assert.ok(Math.abs(result.score.champion - native.score.champion) <= 1e-9 * Math.abs(native.score.champion), `${words}: its score`);
  assert.equal(result.data.checksum, native.data.checksum);
  assert.deepEqual(result.options, native.options);
  return native;
}

// A whole visit with a known data set, by clicks.
await withPage('asia', async (page) => {
  await checkAccess(page, 'the first sight');
  await page.selectOption('#dataset', 'asia');
  await tableOf(page, 'asia');
  assert.equal(await page.locator('#columns tbody tr').count(), 8);
  assert.match(await page.locator('#table').innerText(), /10,000 rows, 8 columns, no missing cells/);
  await checkAccess(page, 'the table');
  const took = await discover(page);
  console.log(`asia: answer and report ${took}`);
  const result = await outcome(page);
  sameAsNative(result, 'asia');
  assert.match(await page.locator('#forecast').innerText(), /Predicted: about .* of one core/);
  // The frame holds the report that the command line writes: the same components drew it.
  const report = page.frameLocator('iframe');
  assert.equal(await report.locator('#edge-table tbody tr').count(), result.dag.edges.length);
  assert.equal(await report.locator('.canvas').count(), 1);
  assert.match(await report.locator("#certificate").innerText(), /1-optimal: none of its/);
  await checkAccess(page, 'the result');
  await page.setViewportSize({ width: 1180, height: 1180 });  // README shows this one: it should have the graph in it
  await page.evaluate(() => {
    document.getElementById('result-title').scrollIntoView();
    document.querySelector('iframe').contentWindow.agonReport.drawing.fit();
  });
  await page.screenshot({ path: join(shots, 'browser-result.png') });
  await page.setViewportSize({ width: 1280, height: 900 });

  const json = await saved(page, '#save-json');
  assert.equal(json.name, 'result.json');
  writeFileSync(join(folder, 'result.json'), json.text);
  const proof = await saved(page, '#save-proof');
  assert.equal(proof.name, 'proof.txt');
  writeFileSync(join(folder, 'proof.txt'), proof.text);
  assert.match(run('verify', 'result.json', 'asia'), /verified|agrees|all/i);
  writeFileSync(join(folder, 'proof.txt'), proof.text.replace(/^claim -/m, 'claim -1'));
  assert.throws(() => run('verify', 'result.json', 'asia'), 'the proof is read');
  rmSync(join(folder, 'proof.txt'));

  // Questions to the result have the answers of the command line.
  await page.selectOption('#effect-of', 'either');
  await page.selectOption('#effect-on', 'dysp');
  await page.click('#effect');
  await page.waitForSelector('#answered:not([hidden])');
  assert.equal(await page.textContent('#answered'), run('effect', 'result.json', 'asia', '--of', 'either', '--on', 'dysp', '--quiet'));
  await page.click('#next-step');
  await page.waitForFunction(() => document.getElementById('answered').textContent.includes('experiment'));
  assert.equal(await page.textContent('#answered'), run('next', 'result.json', '--quiet'));
  await checkAccess(page, 'the answers');

  const html = await saved(page, '#save-report');
  assert.ok(html.text.includes('Content-Security-Policy') && html.text.includes('id="edge-table"'));
  for (const [format, name] of [['dot', 'dag.dot'], ['graphml', 'dag.graphml'], ['bif', 'dag.bif']]) {
    await page.selectOption('#format', format);
    const graph = await saved(page, '#save-graph');
    assert.equal(graph.name, name);
    writeFileSync(join(folder, name), graph.text);
    assert.match(run('compare', 'asia', name), /SHD/i);
  }
});

// A file is dropped: kinds with reasons, changed by a choice; a column left out; the run is that of the command line.
await withPage('penguins', async (page) => {
  const text = readFileSync(new URL('file://' + process.env.AGON_SOURCE + '/examples/penguins.csv'), 'utf8');
  writeFileSync(join(folder, 'penguins.csv'), text);
  await drop(page, 'penguins.csv', text);
  await tableOf(page, 'penguins.csv');
  const column = (name) => page.locator('#columns tbody tr').filter({ has: page.locator('th', { hasText: new RegExp(`^${name}`) }) });
  assert.match(await column('species').innerText(), /text\s+3 levels/);
  assert.equal(await column('year').locator('select').inputValue(), 'categorical');
  assert.ok(Number(await column('sex').locator('td').nth(3).innerText()) > 0, 'missing cells are counted');
  assert.equal(await column('body_mass_g').locator('.histogram rect').count(), 16);
  await page.screenshot({ path: join(shots, 'browser-data.png') });
  await column('year').locator('select').selectOption('continuous');
  await page.waitForFunction(() => globalThis.agonPage.state.table.columns.find((each) => each.name === 'year').kind === 'continuous');
  assert.match(await column('year').innerText(), /as you chose/);
  await column('species').locator('select').selectOption('continuous');
  await page.waitForSelector('#data-said .error');
  assert.match(await page.locator('#data-said').innerText(), /species/);
  assert.equal(await column('species').locator('select').inputValue(), 'categorical', 'a refused choice is undone');
  await column('island').locator('select').selectOption('out');
  await page.waitForSelector('text=island (take it back)');
  assert.equal(await column('island').count(), 0);
  await discover(page);
  sameAsNative(await outcome(page), 'penguins.csv', '--continuous', 'year', '--drop', 'island');
});

// What is known: lanes by keyboard, edges, a file out and in, a contradiction.
await withPage('knowledge', async (page) => {
  await page.selectOption('#dataset', 'asia');
  await tableOf(page, 'asia');
  await tab(page, 'knowledge');
  await checkAccess(page, 'the knowledge');
  for (const [name, lane] of [['smoke', 1], ['dysp', 2]]) {
    await page.locator(`.chip[data-name="${name}"]`).focus();
    for (let k = 0; k < lane; ++k) await page.keyboard.press('ArrowRight');
  }
  if (browserName === 'chromium') {
    await page.locator('.chip[data-name="asia"]').dragTo(page.locator('.lane').nth(1));
  } else {  // Firefox, driven, begins to drag and never drops
    const carried = await page.evaluateHandle(() => new DataTransfer());
    await page.dispatchEvent('.chip[data-name="asia"]', 'dragstart', { dataTransfer: carried });
    await page.dispatchEvent('.lane >> nth=1', 'dragover', { dataTransfer: carried });
    await page.dispatchEvent('.lane >> nth=1', 'drop', { dataTransfer: carried });
  }
  const edge = async (from, to, kind) => {
    await page.selectOption('#edge-from', from);
    await page.selectOption('#edge-to', to);
    await page.selectOption('#edge-kind', kind);
    await page.click('#add-edge button');
  };
  await edge('lung', 'smoke', 'required');
  // By drawing: the other kind, an edge too many, which a click removes; and one that is not finished.
  const at = (name) => page.evaluate((wanted) => globalThis.agonPage.knowledge.drawing.at(wanted), name);
  const draw = async (from, to) => {
    const [start, end] = [await at(from), await at(to)];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
    await page.mouse.move(end.x, end.y, { steps: 4 });
    await page.mouse.up();
  };
  const forbidden = () => page.evaluate(() => globalThis.agonPage.state.knowledge.forbidden);
  await page.locator('#knowledge-canvas').scrollIntoViewIfNeeded();
  await page.check('#draw-forbidden');
  await draw('bronc', 'dysp');
  assert.deepEqual(await forbidden(), [['bronc', 'dysp']]);
  await draw('xray', 'tub');
  assert.deepEqual(await forbidden(), [['bronc', 'dysp'], ['xray', 'tub']]);
  await page.screenshot({ path: join(shots, 'browser-knowledge.png') });
  const [xray, tub, beside] = [await at('xray'), await at('tub'), await at('bronc')];
  await page.mouse.click((xray.x + tub.x) / 2, (xray.y + tub.y) / 2);
  assert.deepEqual(await forbidden(), [['bronc', 'dysp']]);
  await page.mouse.move(beside.x, beside.y);
  await page.mouse.down();
  await page.mouse.move(beside.x + 4, Math.min(beside.y + 300, 880), { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await forbidden(), [['bronc', 'dysp']]);
  await checkAccess(page, 'the knowledge, drawn');
  const known = await page.evaluate(() => globalThis.agonPage.state.knowledge);
  assert.deepEqual(known, { tiers: [['smoke', 'asia'], ['dysp']], required: [['lung', 'smoke']], forbidden: [['bronc', 'dysp']] });
  const written = await saved(page, '#knowledge-export');
  writeFileSync(join(folder, 'knowledge.txt'), written.text);
  await discover(page);
  const result = await outcome(page);
  assert.ok(pairs(result.dag.edges).includes('lung -> smoke') && !pairs(result.dag.edges).includes('bronc -> dysp'));
  const native = JSON.parse(run('discover', 'asia', '--knowledge', 'knowledge.txt', '--threads', '1', '--json', '--quiet'));
  assert.deepEqual(pairs(result.dag.edges), pairs(native.dag.edges));
  await tab(page, 'knowledge');
  await page.click('#knowledge-clear');
  await page.setInputFiles('#knowledge-import', join(folder, 'knowledge.txt'));
  await page.waitForFunction(() => globalThis.agonPage.state.knowledge.required.length === 1);
  const again = await page.evaluate(() => globalThis.agonPage.state.knowledge);
  assert.deepEqual(again.tiers.map((tier) => [...tier].sort()), [['asia', 'smoke'], ['dysp']]);
  assert.deepEqual([again.required, again.forbidden], [known.required, known.forbidden]);
  writeFileSync(join(folder, 'wrong.txt'), '/knowledge\nrequiredirect\nlung smokee\n');
  await page.setInputFiles('#knowledge-import', join(folder, 'wrong.txt'));
  await page.waitForSelector('#knowledge-said .error');
  assert.match(await page.locator('#knowledge-said').innerText(), /wrong\.txt:3.*smokee/s);
  await edge('lung', 'smoke', 'forbidden');  // what was said last counts
  const latest = await page.evaluate(() => globalThis.agonPage.state.knowledge);
  assert.deepEqual([latest.required, latest.forbidden], [[], [['bronc', 'dysp'], ['lung', 'smoke']]]);
  await edge('dysp', 'smoke', 'required');   // against the tiers
  await tab(page, 'discover');
  await page.waitForSelector('#discover-said .error');
  assert.match(await page.locator('#discover-said').innerText(), /dysp.*smoke/s);
});

// Stop keeps the best so far.
await withPage('stop', async (page) => {
  await page.selectOption('#dataset', 'alarm');
  await tableOf(page, 'alarm');
  await tab(page, 'discover');
  await page.click('#more summary');
  for (const [name, value] of [['moves', '1000000000'], ['patience', '1000000000'], ['bootstrap', '0']]) {
    const option = page.locator(`#option-${name}`);
    if (!await option.isVisible()) await page.locator('#options details', { has: option }).locator('summary').click();
    await option.fill(value);
  }
  await page.locator('#option-bootstrap').blur();
  await page.waitForFunction(() => globalThis.agonPage.state.typed.moves && !globalThis.agonPage.state.engine.isBusy);
  await page.waitForSelector('#discover:not([disabled])');
  await page.click('#more summary');
  await page.click('#discover');
  await page.waitForFunction(() => /play/.test(document.getElementById('phase').textContent), null, { timeout: 300_000 });
  // What plays, and its share of the next round.
  await page.waitForSelector('#arm-rows tr');
  const arms = await page.locator('#arm-rows tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
  assert.ok(arms.length >= 2 && arms.every(([name, share, moves]) => name && /^\d+ %$/.test(share) && Number(moves.replaceAll(',', '')) > 0), `${arms}`);
  assert.match(await page.textContent('#champion-said'), /edges, score −?-?[\d,.]+, found by \w/);
  await checkAccess(page, 'a run');
  await page.screenshot({ path: join(shots, 'browser-running.png') });
  const began = performance.now();
  await page.click('#stop');
  await page.waitForSelector('#result:not([hidden])', { timeout: 300_000 });
  console.log(`stop: the result ${seconds(began)} s after the click`);
  const result = await outcome(page);
  assert.deepEqual(result.run.arms.map((arm) => arm.name), arms.map(([name]) => name));
  assert.equal(result.run.stopped_by, 'interrupted');
  assert.ok(result.score.champion >= result.score.opponent);
});

// The game by hand.
await withPage('play', async (page) => {
  await page.selectOption('#dataset', 'asia');
  await tableOf(page, 'asia');
  await tab(page, 'play');
  await page.click('#play-empty');
  await page.waitForSelector('#best li');
  const score = async () => Number((await page.locator('#score').innerText()).replaceAll(',', ''));
  const gain = (text) => Number(text.match(/[+−][\d,.]+$/)[0].replaceAll(',', '').replace('−', '-'));
  const drawn = () => page.evaluate(() => globalThis.agonPage.play.drawn.filter((each) => !each.hint).map(({ from, to }) => `${from} -> ${to}`).sort());
  const empty = await score();
  const best = (await page.locator('#best li').first().innerText()).trim();
  await page.locator('#best button').first().click();
  await page.waitForSelector('#history li');
  const [, kind, from, to] = best.match(/^(\w+) (.+) → (\w+)/);
  assert.equal(kind, 'Add');
  assert.deepEqual(await drawn(), [`${from} -> ${to}`]);
  assert.ok(Math.abs((await score()) - empty - gain(best)) < 0.002, 'the score rises by the gain');
  writeFileSync(join(folder, 'mine.txt'), `Graph Nodes:\n${'asia;tub;smoke;lung;bronc;either;xray;dysp'}\n\nGraph Edges:\n1. ${from} --> ${to}\n`);
  const native = JSON.parse(run('score', 'mine.txt', 'asia', '--json', '--quiet'));
  assert.ok(Math.abs((native.total ?? native.score) - (await score())) < 0.002, 'the native program scores the graph alike');

  // A pair by hand, and a move that is refused.
  await page.selectOption('#play-from', to);
  await page.selectOption('#play-to', from);
  await page.waitForSelector('#pair .warning');
  assert.match(await page.locator('#pair').innerText(), /reverse it instead/);
  await page.click('#take-back');
  await page.waitForFunction(() => document.querySelectorAll('#history li').length === 0);
  assert.deepEqual(await drawn(), []);
  assert.equal(await score(), empty);
  const add = async (a, b) => {
    await page.selectOption('#play-from', a);
    await page.selectOption('#play-to', b);
    await page.locator('#pair button', { hasText: `Add ${a} → ${b}` }).click();
    await page.waitForFunction(([x, y]) => globalThis.agonPage.play.drawn.some((each) => !each.hint && each.from === x && each.to === y), [a, b]);
  };
  await add('asia', 'xray');
  await add('xray', 'dysp');
  assert.ok(await page.locator('#history li').first().innerText().then((text) => gain(text.trim()) < 0), 'a bad edge costs');
  await page.selectOption('#play-from', 'dysp');
  await page.selectOption('#play-to', 'asia');
  await page.waitForSelector('#pair .warning');
  assert.match(await page.locator('#pair').innerText(), /cycle: asia -> xray -> dysp/);
  await checkAccess(page, 'the board');
  await page.screenshot({ path: join(shots, 'browser-play.png') });

  // The machine beats it, step by step and back.
  const before = await score();
  await page.click('#challenge');
  await page.waitForSelector('#steps li', { timeout: 300_000 });
  assert.match(await page.locator('#verdict').innerText(), /The machine beats your graph by \+/);
  const steps = await page.locator('#steps li').count();
  await page.click('#step');
  await page.waitForSelector('#steps li.done');
  await page.click('#step-back');
  await page.waitForFunction(() => !document.querySelector('#steps li.done'));
  assert.equal(await score(), before);
  for (let k = 1; k <= steps; ++k) {
    await page.click('#step');
    await page.waitForFunction((wanted) => document.querySelectorAll('#steps li.done').length === wanted, k);
  }
  await checkAccess(page, 'a challenge');
  await page.screenshot({ path: join(shots, 'browser-challenge.png') });
  const beaten = Number((await page.locator('#verdict').innerText()).match(/\(([-−\d,.]+)\)/)[1].replaceAll(',', ''));
  assert.ok(Math.abs((await score()) - beaten) < 0.002, 'the steps lead to the champion');
  await page.click('#challenge');
  await page.waitForFunction(() => /You win/.test(document.getElementById('verdict').textContent), null, { timeout: 300_000 });
});

// Names that try to be markup, formulas or paths.
await withPage('hostile', async (page) => {
  const names = ['<img src=x onerror=alert(1)>', '</script><script>alert(2)</script>', '"; drop', "a'b`c${1}", '__proto__', 'constructor'];
  const cell = (name) => `"${name.replaceAll('"', '""')}"`;
  let text = `${names.map(cell).join(',')}\n`, x = 1;
  for (let row = 0; row < 300; ++row) {
    const values = names.map(() => { x = (x * 48271) % 2147483647; return x / 2147483647; });
    values[1] += values[0];
    values[4] += values[5];
    text += `${values.join(',')}\n`;
  }
  await drop(page, 'evil <b>.csv', text);
  await tableOf(page, 'evil <b>.csv');
  assert.equal(await page.locator('#columns tbody tr').count(), names.length);
  const proto = page.locator('#columns tbody tr').filter({ has: page.locator('th', { hasText: '__proto__' }) });
  await proto.locator('select').selectOption('out');
  await page.click('text=__proto__ (take it back)');
  await page.waitForFunction((wanted) => globalThis.agonPage.state.table.columns.length === wanted, names.length);
  await tab(page, 'knowledge');
  await tab(page, 'play');
  await page.click('#play-empty');
  await page.waitForSelector('#best li');
  await discover(page);
  const result = await outcome(page);
  assert.deepEqual(await page.evaluate(() => Object.keys(globalThis.agonPage.state.outcome.result.data.kinds).sort()), [...names].sort());
  assert.ok(pairs(result.dag.edges).length >= 2);
  assert.equal(await page.locator('img[src=x]').count(), 0);
});

// Files that are no tables.
await withPage('broken', async (page) => {
  for (const [name, text, message] of [['short.csv', 'a,b\n1,2\n3\n', /short\.csv:3/], ['empty.csv', '', /empty/i],
                                        ['result.json', '{"no": 1}', /result\.json/], ['zip.csv', 'PK\u0003\u0004xxxx', /zip/i]]) {
    await drop(page, name, text);
    await page.waitForSelector('#data-said .error');
    assert.match(await page.locator('#data-said').innerText(), message);
    assert.equal(await page.evaluate(() => globalThis.agonPage.state.table), null);
    await checkAccess(page, `a refusal of ${name}`);
    await page.evaluate(() => document.getElementById('data-said').replaceChildren());
  }
  await page.selectOption('#dataset', 'asia');
  await tableOf(page, 'asia');
});

// A result of the command line.
await withPage('opened', async (page) => {
  run('discover', 'asia', '--rows', '500', '--out', 'native', '--quiet');
  await page.setInputFiles('#file', join(folder, 'native', 'result.json'));
  await page.waitForFunction(() => document.querySelector('iframe')?.contentWindow.agonReport);
  const native = JSON.parse(readFileSync(join(folder, 'native', 'result.json'), 'utf8'));
  assert.deepEqual(await outcome(page), native);
  const json = await saved(page, '#save-json');
  assert.equal(json.text, readFileSync(join(folder, 'native', 'result.json'), 'utf8'));
  assert.equal(await page.locator('#play-champion').isDisabled(), true);
  assert.equal(await page.locator('#ask').isVisible(), false, 'there are no rows to estimate effects from');
  assert.equal(await page.locator('#save-proof').isVisible(), false);
});

// By keyboard alone, from the first Tab to the answer.
await withPage('keyboard', async (page) => {
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
  const reach = async (wanted) => {
    for (let k = 0; k < 60 && (await focused()) !== wanted; ++k) await page.keyboard.press('Tab');
    assert.equal(await focused(), wanted);
  };
  await reach('dataset');
  await page.keyboard.type('asia');
  await tableOf(page, 'asia');
  await reach('Go on to Discover');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#discover:not([disabled])');
  await reach('discover');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('iframe')?.contentWindow.agonReport, null, { timeout: 300_000 });
  assert.equal(await focused(), 'result-title');

  // Knowledge, then the game: tabs by arrows, an edge by lists, moves and a challenge by Enter.
  await page.locator('#tab-discover').focus();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'tab-knowledge');
  await reach('edge-from');
  await page.keyboard.type('xray');
  await reach('edge-to');
  await page.keyboard.type('smoke');
  await reach('edge-kind');
  await page.keyboard.type('forbidden');
  await reach('Add');
  await page.keyboard.press('Enter');
  assert.deepEqual(await page.evaluate(() => globalThis.agonPage.state.knowledge.forbidden), [['xray', 'smoke']]);
  await page.locator('#tab-knowledge').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'tab-play');
  await reach('play-empty');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#best li');
  await reach(await page.locator('#best button').first().textContent());
  await page.keyboard.press('Enter');
  await page.waitForSelector('#history li');
  await page.locator('#tab-play').focus();
  await reach('challenge');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#steps li', { timeout: 300_000 });
  await page.locator('#tab-play').focus();
  await reach('step');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#steps li.done');
  await page.locator('#tab-play').focus();
  await reach('take-back');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('#steps li.done'));
});

// At the width of a phone nothing is wider than the page.
await withPage('phone', async (page) => {
  await page.selectOption('#dataset', 'asia');
  await tableOf(page, 'asia');
  const fits = async (what) => {
    for (const frame of page.frames()) {
      const [wide, room] = await frame.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= room, `${what}: ${wide} pixels in ${room}`);
    }
  };
  for (const name of ['data', 'knowledge', 'discover', 'play']) {
    await tab(page, name);
    await fits(name);
  }
  await page.click('#play-empty');
  await page.waitForSelector('#best li');
  await fits('the board');
  await discover(page);
  await fits('the result');
  await page.screenshot({ path: join(shots, 'browser-phone-result.png') });
  await tab(page, 'data');
  await page.screenshot({ path: join(shots, 'browser-phone.png') });
}, { viewport: { width: 390, height: 844 } });

// A thousand columns: found by their names, put into tiers, played on; a result of a thousand nodes is drawn whole.
await withPage('thousand', async (page) => {
  const names = Array.from({ length: 1000 }, (_, k) => `gene_${k}`);
  const rows = [names.join(',')];
  let x = 1;
  const noise = () => { x = (x * 48271) % 2147483647; return x / 2147483647 - 0.5; };
  for (let row = 0; row < 150; ++row) {
    const values = [];
    for (let k = 0; k < 1000; ++k) values.push(k % 4 === 0 ? noise() : values[k - 1] + noise());
    rows.push(values.map((value) => value.toFixed(4)).join(','));
  }
  const began = performance.now();
  await drop(page, 'thousand.csv', rows.join('\n'));
  await tableOf(page, 'thousand.csv');
  console.log(`thousand: read and examined in ${seconds(began)} s`);
  await page.fill('#table input[type=search]', 'gene_99');
  assert.equal(await page.locator('#columns tbody tr:visible').count(), 11);
  await tab(page, 'knowledge');
  await page.fill('#knowledge-search', 'gene_99');
  assert.equal(await page.locator('.chip').count(), 11);
  await page.locator('.chip[data-name="gene_990"]').focus();
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await page.evaluate(() => globalThis.agonPage.state.knowledge.tiers), [['gene_990']]);
  await tab(page, 'play');
  const opened = performance.now();
  await page.click('#play-empty');
  await page.waitForSelector('#best li', { timeout: 300_000 });
  console.log(`thousand: the board ${seconds(opened)} s after the click`);
  await page.selectOption('#play-from', 'gene_1');
  await page.selectOption('#play-to', 'gene_2');
  await page.locator('#pair button', { hasText: 'Add gene_1 → gene_2' }).click();
  await page.waitForSelector('#history li');
  await tab(page, 'knowledge');
  await page.click('#knowledge-clear');
  console.log(`thousand: answer and report ${await discover(page)}`);
  writeFileSync(join(folder, 'thousand.csv'), rows.join('\n'));
  sameAsNative(await outcome(page), 'thousand.csv');

  makeLarge(run, folder, 'large', 1000, 3000);
  await tab(page, 'data');
  await page.setInputFiles('#file', join(folder, 'large', 'result.json'));
  await page.waitForFunction(() => document.querySelector('iframe')?.contentWindow.agonReport);
  const report = page.frameLocator('iframe');
  await report.getByText('show all', { exact: true }).click();
  await report.locator('#layout').selectOption('force');
  await page.waitForFunction(() => !document.querySelector('iframe').contentWindow.agonReport.drawing.isLayingOut);
  const { nodes, edges } = await page.evaluate(() => {
    const { cy } = document.querySelector('iframe').contentWindow.agonReport;
    return { nodes: cy.nodes().length, edges: cy.edges().length };
  });
  assert.ok(nodes > 900);
  assert.equal(edges, 3000);
  await page.screenshot({ path: join(shots, 'browser-thousand.png') });
});

// 50 MB: read and examined, or refused with a reason; the page stays usable.
await withPage('large', async (page) => {
  const line = Array.from({ length: 20 }, (_, k) => `c${k}`).join(',');
  const path = join(folder, 'large.csv');
  const parts = [line];
  for (let row = 0, x = 1; row < 260_000; ++row) {
    const cells = [];
    for (let k = 0; k < 20; ++k) { x = (x * 48271) % 2147483647; cells.push((x / 2147483647).toFixed(7)); }
    parts.push(cells.join(','));
  }
  writeFileSync(path, parts.join('\n'));
  const began = performance.now();
  await page.setInputFiles('#file', path);
  await tableOf(page, 'large.csv');
  console.log(`large: ${(statSync(path).size / 1e6).toFixed(0)} MB read and examined in ${seconds(began)} s`);
  assert.match(await page.locator('#table').innerText(), /260,000 rows, 20 columns/);
});

await browser.close();
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
rmSync(folder, { recursive: true });
console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(2)} MB`);
