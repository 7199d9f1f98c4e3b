// report.html as a person meets it, in headless Chromium: what is drawn is counted against result.json, the controls are
// used, hostile names do nothing, and nothing leaves the page. Times are printed, never judged.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { makeLarge } from './large_result.mjs';

const agon = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'agon-browser-'));
mkdirSync('shots', { recursive: true });
const run = (...words) => execFileSync(agon, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

assert.match(run('doctor'), /report\.html +ok/, 'this agon was built without Node: its report has nothing to test');

const browser = await chromium.launch({
  executablePath: process.env.AGON_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });

// Runs agon, opens its report, lets `test` use it; then the page must have been silent and alone.
async function withReport(name, words, test, options = {}) {
  run(...words, '--out', name, '--quiet');
  await withPage(name, test, options);
}

async function withPage(name, test, options = {}) {
  const result = JSON.parse(readFileSync(join(folder, name, 'result.json'), 'utf8'));
  const file = join(folder, name, 'report.html');
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const said = [], asked = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => said.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => asked.push(request.url()));
  const began = performance.now();
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => globalThis.agonReport);
  const opened = performance.now() - began;
  const inside = await page.evaluate(() => globalThis.agonReport.milliseconds);
  console.log(`${name}: ${Object.keys(result.data.kinds).length} nodes, ${result.dag.edges.length} edges, ` +
    `${(statSync(file).size / 1e6).toFixed(2)} MB, open in ${opened.toFixed(0)} ms, of which drawing ${inside.toFixed(0)} ms`);
  await test(page, result, file);
  assert.deepEqual(said, [], `${name}: the page said something`);
  assert.deepEqual(asked.filter((url) => !/^(data|blob):/.test(url)), [pathToFileURL(file).href], `${name}: a request left the page`);
  await context.close();
}

// A large graph is laid out in a worker; what was asked for is drawn when that has answered.
const settled = (page) => page.waitForFunction(() => !globalThis.agonReport.drawing.isLayingOut);
async function shown(page) {
  await settled(page);
  return page.evaluate(() => globalThis.agonReport.cy.edges().not('.hidden').map((edge) => ({
    from: edge.source().data('name'), to: edge.target().data('name'), open: edge.hasClass('open'), classes: edge.classes() })));
}
const pairs = (edges) => edges.map((edge) => [edge.from, edge.to].sort().join('\n')).sort();
const graph = (result) => result.mpdag ?? result.cpdag;

// The drawing is the graph of the result: names, edges, arrows; so is the table.
async function checkDrawing(page, result) {
  await settled(page);
  const names = await page.evaluate(() => globalThis.agonReport.cy.nodes().map((node) => node.data('name')).sort());
  const large = await page.evaluate(() => globalThis.agonReport.drawing.isLarge);
  assert.deepEqual(names, (large ? [...new Set(result.dag.edges.flat())] : Object.keys(result.data.kinds)).sort());
  const edges = await shown(page);
  assert.equal(edges.length, result.dag.edges.length);
  const arrows = edges.filter((edge) => !edge.open).map((edge) => [edge.from, edge.to]).sort();
  assert.deepEqual(arrows, [...graph(result).directed].sort());
  assert.deepEqual(pairs(edges.filter((edge) => edge.open)),
    pairs(graph(result).undirected.map(([from, to]) => ({ from, to }))));
  await checkEdgeTable(page, result);
  await checkLayout(page, true);
}

// The strongest edge first; what agon says of each is what is drawn.
async function checkEdgeTable(page, result) {
  const rows = await page.locator('#edge-table tbody tr').evaluateAll((all) => all.map((row) => ({
    ends: [row.cells[0].textContent, row.cells[2].textContent], arrow: row.cells[3].textContent,
    certain: ['fixed-cell', 'set-cell'].includes(row.cells[3].className), strength: Number(row.cells[4].dataset.value),
    remark: row.cells[row.cells.length - 1].textContent })));
  assert.deepEqual(rows.map((row) => row.ends).sort(), [...result.dag.edges].sort());
  assert.deepEqual(rows.map((row) => row.strength), result.edges.map((edge) => edge.strength).sort((a, b) => b - a));
  const drawn = await page.evaluate(() => globalThis.agonReport.cy.edges('[owner = "champion"]').map((edge) => ({
    ends: [edge.source().data('name'), edge.target().data('name')], classes: edge.classes(), opacity: Number(edge.style('opacity')),
    colour: edge.style('line-color'), arrow: edge.style('target-arrow-shape') })));
  const colours = await page.evaluate(() => Object.fromEntries(['doubt', 'known', 'set', 'line'].map((name) =>
    [name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16))])));
  const rowOf = new Map(rows.map((row) => [row.ends.join('\n'), row]));
  const edgeOf = new Map(result.edges.map((edge) => [`${edge.from}\n${edge.to}`, edge]));
  for (const { ends, classes, opacity, colour, arrow } of drawn) {
    const row = rowOf.get(ends.join('\n')), edge = edgeOf.get(ends.join('\n'));
    const unsure = edge.fixed && !edge.by_knowledge && (edge.shares?.forward ?? 1) < 0.5;
    assert.equal(row.arrow, edge.by_knowledge ? 'by knowledge' : edge.by_experiment ? 'by experiment' : edge.fixed ? 'fixed' : 'open');
    assert.equal(row.certain, edge.fixed && !edge.by_knowledge && !unsure, `${ends} must not look certain`);
    const weak = edge.strength < 3 || (edge.shares?.edge ?? 1) < 0.5;
    assert.equal(row.remark, [weak && 'weak', unsure && 'arrow unsure'].filter(Boolean).join(', '));
    for (const [look, is] of [['unsure', unsure], ['known', edge.by_knowledge ?? false], ['set', edge.by_experiment ?? false],
                              ['weak', weak]]) {
      assert.equal(classes.includes(look), is, `${ends} ${look}`);
    }
    assert.deepEqual(colour.match(/\d+/g).map(Number), colours[
      unsure ? 'doubt' : edge.by_knowledge ? 'known' : edge.by_experiment ? 'set' : 'line']);
    assert.equal(arrow, edge.by_knowledge ? 'triangle-tee' : edge.by_experiment ? 'vee' : edge.fixed ? 'triangle' : 'none');
    assert.ok(Math.abs(opacity - (edge.shares ? 0.25 + 0.75 * edge.shares.edge : 1)) < 1e-6, `${ends} fades with its share`);
  }
}

// Nodes do not cover each other; in layers, causes are above effects.
async function checkLayout(page, inLayers) {
  await settled(page);
  const spread = await page.evaluate(() => {
    const boxes = globalThis.agonReport.cy.nodes().map((node) => node.boundingBox({ includeLabels: false }));
    return boxes.every((a, i) => boxes.every((b, j) => i >= j || a.x2 <= b.x1 + 3 || b.x2 <= a.x1 + 3 || a.y2 <= b.y1 + 3 || b.y2 <= a.y1 + 3));
  });
  assert.ok(spread, 'two nodes overlap');
  if (!inLayers) return;
  const downwards = await page.evaluate(() => globalThis.agonReport.cy.edges().not('.hidden').every((edge) => edge.source().position('y') < edge.target().position('y')));
  assert.ok(downwards, 'an edge of the champion points up');
}

// Every name that is shown can be read, and covers no other.
async function checkLabels(page) {
  await settled(page);
  const labels = () => page.evaluate(() => {
    const { cy } = globalThis.agonReport, zoom = cy.zoom();
    return cy.nodes().filter((node) => node.style('label') !== '').map((node) => {
      const { x, y } = node.position(), font = node.data('font'), half = ((node.data('width') - 18) * font) / 13 / 2;
      return { pixels: font * zoom, left: x - half, right: x + half, top: y - font / 2, bottom: y + font / 2 };
    });
  });
  const place = () => page.evaluate(() => globalThis.agonReport.drawing.label());
  const all = await page.evaluate(() => globalThis.agonReport.cy.nodes().length);
  await page.evaluate(() => globalThis.agonReport.drawing.fit());
  let before = 0;
  for (const zoom of [null, 0.2, 0.4, 1]) {
    if (zoom) await page.evaluate((level) => { globalThis.agonReport.cy.zoom(level); }, zoom);
    await place();
    const now = await labels();
    assert.ok(now.length > 0 && now.every((label) => label.pixels >= 8), `names at zoom ${zoom} cannot be read`);
    assert.ok(now.every((a, i) => now.every((b, j) => i >= j || a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top)),
      `names at zoom ${zoom} cover each other`);
    if (zoom) assert.ok(now.length >= before, 'closer, more names');
    if (zoom) before = now.length;
  }
  assert.equal(before, all, 'all names are there when one is close');

  // The node under the mouse and its neighbours are named at any zoom.
  await page.evaluate(() => {
    const { cy, drawing } = globalThis.agonReport;
    drawing.fit();
    cy.zoom({ level: cy.zoom() / 2, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
    drawing.label();
  });
  const at = await page.evaluate(() => {
    const { cy } = globalThis.agonReport, box = cy.container().getBoundingClientRect();
    const node = cy.nodes().filter((other) => other.style('label') === '' && other.renderedPosition('y') < 300)[0];
    return { id: node.id(), x: box.x + node.renderedPosition('x'), y: box.y + node.renderedPosition('y') };
  });
  await page.mouse.move(at.x, at.y);
  await page.waitForFunction((id) => globalThis.agonReport.cy.getElementById(id).closedNeighborhood().nodes()
    .every((node) => node.style('label') !== '' && node.data('font') * globalThis.agonReport.cy.zoom() > 8), at.id);
  await page.mouse.move(0, 0);
  await page.evaluate(() => globalThis.agonReport.drawing.fit());
}

async function checkViews(page, result) {
  const key = (edge) => [edge.from, edge.to].sort().join('\n');
  await page.check('input[value=opponent]');
  assert.deepEqual(pairs(await shown(page)), pairs(result.opponent.edges.map(([from, to]) => ({ from, to }))));
  await page.check('input[value=difference]');
  const edges = await shown(page);
  const mine = new Set(result.dag.edges.map(([from, to]) => key({ from, to })));
  const theirs = new Set(result.opponent.edges.map(([from, to]) => key({ from, to })));
  const having = (name) => edges.filter((edge) => edge.classes.includes(name)).map(key).sort();
  assert.deepEqual(having('added'), [...mine].filter((pair) => !theirs.has(pair)).sort());
  assert.deepEqual(having('dropped'), [...theirs].filter((pair) => !mine.has(pair)).sort());
  assert.equal(edges.length, new Set([...mine, ...theirs]).size);
  const turned = new Set(having('turned'));
  for (const edge of edges) {
    if (!mine.has(key(edge)) || !theirs.has(key(edge))) continue;
    const says = (pdag) => pdag.directed.find(([a, b]) => key({ from: a, to: b }) === key(edge))?.join('\n') ?? 'either way';
    assert.equal(turned.has(key(edge)), says(graph(result)) !== says(result.opponent.cpdag), key(edge));
  }
  await page.check('input[value=champion]');
  return edges.some((edge) => !edge.classes.includes('same'));
}

async function checkSlider(page, result, figure) {
  const losses = result.edges.map(figure).sort((a, b) => b - a);
  const kept = Math.max(1, Math.floor(losses.length / 2));
  await page.locator('#slider').fill(String(kept));
  assert.equal((await shown(page)).length, kept);
  assert.match(await page.textContent('output[for=slider]'), new RegExp(`^${kept} of ${losses.length} edges, at least`));
  await page.locator('#slider').focus();
  await page.keyboard.press('Home');
  assert.equal((await shown(page)).length, 1);
  await page.keyboard.press('End');
  assert.equal((await shown(page)).length, losses.length);
}

async function checkSearch(page, result) {
  const name = result.dag.edges[0][0];
  await page.fill('#search', name);
  await page.press('#search', 'Enter');
  while (await page.textContent('.neighbourhood h3') !== name) await page.press('#search', 'Enter');
  const listed = await page.locator('.neighbourhood .name').allTextContents();
  const expected = result.dag.edges.filter((edge) => edge.includes(name)).map(([from, to]) => (from === name ? to : from));
  assert.deepEqual(listed.sort(), expected.sort());
  await page.locator('.neighbourhood .name').first().click();  // from node to node
  assert.equal(await page.textContent('.neighbourhood h3'), listed.length ? await page.evaluate(() => globalThis.agonReport.drawing.chosen) : name);
  await page.fill('#search', 'no such variable');
  assert.equal(await page.textContent('output[for=search]'), 'none');
  await page.press('#search', 'Escape');
  assert.equal(await page.evaluate(() => globalThis.agonReport.drawing.chosen), null);
}

async function checkKeysAndMouse(page, result) {
  await page.locator('.canvas').focus();
  const view = () => page.evaluate(() => ({ zoom: globalThis.agonReport.cy.zoom(), ...globalThis.agonReport.cy.pan() }));
  await page.keyboard.press('0');
  const before = await view();
  await page.keyboard.press('+');
  assert.ok((await view()).zoom > before.zoom);
  await page.keyboard.press('0');
  await page.keyboard.press('ArrowRight');
  assert.ok((await view()).x < before.x);
  await page.keyboard.press('0');
  const name = result.dag.edges[0][1];
  const place = () => page.evaluate((wanted) => {
    const box = globalThis.agonReport.cy.container().getBoundingClientRect();
    const node = globalThis.agonReport.cy.nodes().filter((other) => other.data('name') === wanted)[0].renderedPosition();
    return { x: box.x + node.x, y: box.y + node.y };
  }, name);
  // A change of the view hides the tooltip and moves the node, and on a busy machine that can come after the first move of
  // the mouse. A hand is never quite still, and goes where the node is.
  const tells = () => page.evaluate((wanted) => {
    const box = document.querySelector('.tooltip');
    return !box.hidden && box.querySelector('b').textContent === wanted;
  }, name);
  const hover = async () => {
    for (let moves = 0; moves === 0 || !await tells(); ++moves) {
      assert.ok(moves < 200, 'the tooltip of a node does not show');
      const at = await place();
      await page.mouse.move(at.x + moves % 2, at.y);
      await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    }
  };
  await hover();
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForFunction((wanted) => globalThis.agonReport.drawing.chosen === wanted, name);
  assert.equal(await page.textContent('.neighbourhood h3'), name);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => globalThis.agonReport.drawing.chosen), null);

  // Hidden by a change of the view, it comes back while the mouse stays within the same node.
  await page.evaluate(() => { globalThis.agonReport.cy.emit('viewport'); });
  assert.ok(!await tells());
  await hover();
  await page.keyboard.press('0');
}

async function checkTable(page) {
  const figures = () => page.locator('#edge-table tbody tr').evaluateAll((rows) => rows.map((row) => Number(row.cells[4].dataset.value)));
  const heading = page.locator('#edge-table thead button', { hasText: 'strength (nats)' });
  await heading.click();
  const down = await figures();
  assert.deepEqual(down, [...down].sort((a, b) => b - a));
  await heading.press('Enter');
  const up = await figures();
  assert.deepEqual(up, [...down].sort((a, b) => a - b));
}

async function shoot(page, name) {
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: `shots/${name}-light.png` });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.notEqual(await paper(), light);
  await page.screenshot({ path: `shots/${name}-dark.png` });
  await page.click('.theme');  // the button overrules the system
  assert.equal(await paper(), light);
  await page.screenshot({ path: `shots/${name}-page.png`, fullPage: true });
  await page.pdf({ path: `shots/${name}.pdf`, format: 'A4' });
  assert.ok(await page.evaluate(() => document.querySelector('.picture').naturalWidth > 100), 'nothing drawn for paper');
  await page.emulateMedia({ colorScheme: 'light' });
}

// A large graph opens with its strongest edges; every other part of it is one step away.
async function checkLarge(page, result, name) {
  const said = () => page.textContent('.extent [role=status]');
  const strongest = (count) => pairs([...result.edges].sort((a, b) => b.strength - a.strength).slice(0, count));
  assert.deepEqual(pairs(await shown(page)), strongest(80));
  const warned = await page.textContent('#warnings');
  const rare = result.edges.filter((edge) => edge.shares.edge < 0.5).length;
  assert.match(warned, new RegExp(`In the graph, yet in fewer than half of the resamples: .* \\(${rare.toLocaleString('en')} in all\\)`));
  const turned = result.edges.filter((edge) => edge.fixed && edge.shares.backward > edge.shares.forward).length;
  assert.match(warned, new RegExp(`Arrows that more resamples reverse than keep: .* \\(${turned.toLocaleString('en')} in all\\)`));
  const total = result.edges.length.toLocaleString('en');
  assert.match(await said(), new RegExp(`^The 80 strongest of ${total} edges, between \\d+ of `));
  await checkLayout(page, true);
  await checkLabels(page);
  await page.screenshot({ path: `shots/${name}-open.png` });
  const degree = (variable) => result.dag.edges.filter((edge) => edge.includes(variable)).length;
  const hub = Object.keys(result.data.kinds).reduce((a, b) => (degree(b) > degree(a) ? b : a));
  await page.fill('#search', hub);
  assert.equal((await shown(page)).filter((edge) => edge.from === hub || edge.to === hub).length, Math.min(80, degree(hub)));
  await page.press('#search', 'Escape');
  await page.click('text=show more');
  assert.deepEqual(pairs(await shown(page)), strongest(160));
  assert.equal(await page.inputValue('#slider'), '160');
  await checkLayout(page, true);

  // A variable that is not drawn: typed, it is shown with all its neighbours, and their names.
  const drawn = new Set((await shown(page)).flatMap((edge) => [edge.from, edge.to]));
  const hidden = Object.keys(result.data.kinds).find((variable) => !drawn.has(variable) && degree(variable) > 1);
  await page.fill('#search', hidden);
  const own = result.dag.edges.filter((edge) => edge.includes(hidden)).map(([from, to]) => ({ from, to }));
  const around = await shown(page);
  assert.deepEqual(pairs(around.filter((edge) => edge.from === hidden || edge.to === hidden)), pairs(own));
  assert.equal(await page.textContent('.neighbourhood h3'), hidden);
  assert.match(await said(), new RegExp(`^${hidden}: ${own.length} edges`));
  const unnamed = await page.evaluate(() => globalThis.agonReport.cy.nodes().filter((node) => node.style('label') === '').length);
  assert.equal(unnamed, 0, 'a neighbour has no name');
  await checkLayout(page, true);
  await page.screenshot({ path: `shots/${name}-neighbourhood.png` });
  await page.locator('.neighbourhood .name').first().click();  // and on to a neighbour
  assert.notEqual(await page.textContent('.neighbourhood h3'), hidden);
  await page.fill('#search', 'signal_path_1');  // the first letters of many names: they are listed
  await page.locator('.neighbourhood .name', { hasText: /^signal_path_10$/ }).click();
  assert.match(await said(), /^signal_path_10: /);
  await page.click('.extent >> text=back to the graph');
  assert.deepEqual(pairs(await shown(page)), strongest(160));

  // A row of the table shows its edge, drawn before or not.
  const weakest = await page.locator('#edge-table tbody tr').last().evaluate((row) => {
    row.click();
    return [row.dataset.from, row.dataset.to];
  });
  assert.ok((await shown(page)).some((edge) => edge.from === weakest[0] && edge.to === weakest[1]));
  await page.click('.extent >> text=back to the graph');

  for (const kind of ['force', 'clusters', 'layers']) {
    const before = performance.now();
    await page.selectOption('#layout', kind);
    console.log(`${name}: ${kind} of 160 edges in ${(performance.now() - before).toFixed(0)} ms`);
    assert.deepEqual(pairs(await shown(page)), strongest(160));
    await checkLayout(page, kind === 'layers');
    await page.screenshot({ path: `shots/${name}-${kind}.png` });
  }
}

// The worker's layout is the page's own, and the page lives while it is made: it takes another wish at once.
async function checkWorker(page, kind) {
  await settled(page);
  const apart = await page.evaluate(() => {
    const { cy, drawing, layOut } = globalThis.agonReport;
    const { positions } = layOut(drawing.shownNames(), drawing.shownEdges(), drawing.layout);
    return Math.max(...cy.nodes().map((node) => Math.hypot(node.position('x') - positions.get(node.data('name')).x,
      node.position('y') - positions.get(node.data('name')).y)));
  });
  assert.ok(apart < 1e-6, `the worker's ${kind} are ${apart} away`);
  const wishes = await page.evaluate((now) => {
    const { drawing } = globalThis.agonReport;
    const before = drawing.stage;
    drawing.setLayout(now === 'force' ? 'clusters' : 'force');
    const isAside = drawing.isLayingOut && drawing.cy.container().getAttribute('aria-busy') === 'true';
    drawing.setLayout(now);
    return { isAside, isSame: drawing.stage === before };
  }, kind);
  assert.deepEqual(wishes, { isAside: true, isSame: true });
  await settled(page);
  assert.equal(await page.getAttribute('.canvas', 'aria-busy'), 'false');
}

// All edges in every layout. Mean distances tell the layouts apart: of two neighbours, of two variables of one of the
// groups the graph was made of, and of any two.
async function showAll(page, name) {
  const group = (variable) => Math.floor(Number(variable.split('_').at(-1)) / 25);
  const positions = async () => {
    await settled(page);
    return page.evaluate(() => globalThis.agonReport.cy.nodes().map((node) => ({ name: node.data('name'), ...node.position() })));
  };
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
  await page.selectOption('#layout', 'force');
  await page.click('text=show all');
  const once = await positions();
  for (const kind of ['clusters', 'layers', 'force']) {
    const before = performance.now();
    await page.selectOption('#layout', kind);
    console.log(`${name}: all edges, ${kind}, in ${(performance.now() - before).toFixed(0)} ms`);
    await checkLayout(page, kind === 'layers');
    await page.screenshot({ path: `shots/${name}-all-${kind}.png` });
    await checkWorker(page, kind);
    const places = await positions(), of = new Map(places.map((place) => [place.name, place]));
    const any = [], within = [];
    places.forEach((a, i) => places.slice(0, i).forEach((b) => {
      any.push(distance(a, b));
      if (group(a.name) === group(b.name)) within.push(distance(a, b));
    }));
    const near = (await shown(page)).map(({ from, to }) => distance(of.get(from), of.get(to)));
    if (kind === 'force') assert.ok(mean(near) < 0.6 * mean(any), 'neighbours are not close');
    if (kind === 'clusters') assert.ok(mean(within) < 0.5 * mean(any), 'groups are not together');
  }
  assert.deepEqual(await positions(), once, 'the same graph gives another picture');
  await page.selectOption('#layout', 'layers');
}

// The graph, the match and the text that a person sees; on every size of graph.
async function checkAll(page, result, file, name) {
  assert.deepEqual(await page.evaluate(() => globalThis.agonReport.result), result);
  if (await page.getByText('show all', { exact: true }).isVisible()) await page.click('text=show all');
  await checkDrawing(page, result);
  await checkViews(page, result);
  await checkSlider(page, result, (edge) => edge.strength);
  await checkSearch(page, result);
  await checkKeysAndMouse(page, result);
  await checkTable(page);
  assert.equal(await page.locator('#match canvas').count(), 1);
  assert.equal(await page.locator('#certificate li').count(), result.certificate.lines.length);
  assert.equal(await page.textContent('#provenance pre'), result.run.command);
  assert.ok(statSync(file).size < 3e6);
  await shoot(page, name);
}

// A cause is chosen, then an outcome, by the list or by a click on it; what is shown is what `agon effect` says.
async function checkEffects(page, result, data) {
  const choose = (name) => page.evaluate((it) => globalThis.agonReport.drawing.choose(it), name);
  const said = (of, on) => JSON.parse(run('effect', data.folder, ...data.words, '--of', of, '--on', on, '--json', '--quiet'));
  const { of, on } = data;
  const expected = said(of, on);
  await choose(of);
  await page.locator('.neighbourhood .outcome', { hasText: new RegExp(`^${on}$`) }).click();
  assert.equal(await page.textContent('.neighbourhood h3'), `${of} → ${on}`);
  assert.equal(await page.locator('.neighbourhood .effect').count(), expected.possible.length);
  const first = expected.possible[0], text = await page.textContent('.neighbourhood .effect');
  assert.ok(text.includes(String(Number(first.change.at(-1).value.toPrecision(4)))), `${text} has the effect`);
  assert.ok(text.includes(first.adjustment[of].join(', ') || 'nothing'));
  const marked = (kind) => page.evaluate((it) =>
    globalThis.agonReport.cy.nodes(`.${it}`).map((node) => node.data('name')).sort(), kind);
  assert.deepEqual(await marked('chosen'), [...new Set([of, ...first.paths])].sort());
  assert.deepEqual(await marked('adjusted'), [...first.adjustment[of]].sort());
  await choose(of);
  await page.locator('.neighbourhood .arm').click();
  await page.evaluate((it) => globalThis.agonReport.drawing.pick(it), on);
  assert.equal(await page.textContent('.neighbourhood h3'), `${of} → ${on}`);
  await page.locator('.neighbourhood button', { hasText: 'back to' }).click();
  assert.equal(await page.textContent('.neighbourhood h3'), of);
  assert.deepEqual(await marked('adjusted'), []);
  await choose(null);
}

try {
  await withReport('asia', ['discover', 'asia', '--truth', 'asia', '--rows', '1000', '--moves', '2000', '--bootstrap', '20'],
    async (page, result, file) => {
      await checkAll(page, result, file, 'asia');
      await page.selectOption('#figure', 'confidence');
      await checkSlider(page, result, (edge) => edge.shares.edge);
      await checkEffects(page, result, { folder: 'asia', words: ['asia', '--rows', '1000'], of: 'either', on: 'dysp' });
    });
  await withReport('alarm', ['discover', 'alarm', '--rows', '1000', '--opponent', 'hc,ges', '--moves', '3000'],
    (page, result, file) => checkAll(page, result, file, 'alarm'));
  await withReport('andes', ['discover', 'andes', '--truth', 'andes', '--rows', '2000', '--opponent', 'ges', '--moves', '3000'],
    (page, result, file) => checkAll(page, result, file, 'andes'));
  for (const [name, nodes, edges] of [['three-hundred', 300, 1373], ['thousand', 1000, 3000]]) {
    makeLarge(run, folder, name, nodes, edges);
    await withPage(name, async (page, result) => {
      await checkLarge(page, result, name);
      await checkSearch(page, result);
      await showAll(page, name);
      await checkDrawing(page, result);
    });
  }
  await withReport('better', ['discover', 'alarm', '--rows', '500', '--opponent', 'none', '--moves', '3000'],
    async (page, result) => assert.ok(await checkViews(page, result), 'a graph over the empty one differs from it'));

  // Few rows, no names, a column that is the sum of two others, and one arrow that is known: all warnings and sentences of
  // the terminal are in the page, and the legend explains every look that an edge has.
  let seed = 7;
  const noise = () => [1, 2, 3].reduce((sum) => sum + (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648, -1.5);
  const doubtful = Array.from({ length: 60 }, () => {
    const a = noise(), b = a + noise(), c = b / 2 + noise(), d = a / 2 + c / 3 + 2 * noise();
    return [a, b, c, d, a + b, d / 3 + 2 * noise()].map((x) => x.toFixed(3));
  });
  writeFileSync(join(folder, 'doubtful.csv'), doubtful.map((row) => `${row.join(',')}\n`).join(''));
  writeFileSync(join(folder, 'known.csv'), `from,to,type\n${doubtful[0][5]},${doubtful[0][3]},required\n`);
  const text = run('discover', 'doubtful.csv', '--knowledge', 'known.csv', '--moves', '300', '--bootstrap', '20', '--out', 'doubtful', '--quiet');
  await withPage('doubtful', async (page, result) => {
    await checkDrawing(page, result);
    const sentences = text.split('\n\n')[1].split('\n');
    assert.ok(sentences.length >= 4 && sentences[0].startsWith('In the class of this graph'), text);
    const words = await page.textContent('body');
    for (const sentence of sentences) assert.ok(words.includes(sentence), `not in the page: ${sentence}`);
    const warned = await page.locator('#warnings li').allTextContents();
    const grave = result.data.findings.filter((finding) => finding.severity !== 'info').map((finding) => finding.text);
    assert.ok(result.data.warnings.length > 0 && grave.length > 0);
    assert.deepEqual(warned.slice(0, result.data.warnings.length + grave.length), [...result.data.warnings, ...grave]);
    const legend = await page.textContent('.legend');
    for (const look of ['fixed', 'open', 'by knowledge', 'unsure', 'weak', 'thicker', 'fainter']) {
      assert.match(legend, new RegExp(`${look}: `), look);
    }
    const looks = new Set((await shown(page)).flatMap((edge) => edge.classes));
    for (const look of ['fixed', 'known', 'unsure', 'weak']) assert.ok(looks.has(look), `no edge is ${look}`);
    await page.screenshot({ path: 'shots/doubtful.png', fullPage: true });
  });

  // Experiments: a table of them, how their rows were read, and arrows that they fixed.
  await withReport('experiments', ['discover', 'sachs-experiments', '--moves', '300'], async (page, result) => {
    await checkDrawing(page, result);
    const cells = (table) => page.locator(`#${table} tbody tr`).evaluateAll((rows) =>
      rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.deepEqual(await cells('experiment-table'), result.data.regimes.map((one) =>
      [one.name, String(one.rows), one.targets.join(', ') || '–', one.moved.join(', ') || '–']));
    assert.deepEqual(await cells('treatment-table'), result.score.treatments.map((one) =>
      [one.name, one.total.toFixed(3), one.used ? 'used' : '']));
    const remark = result.score.remark.slice(1);
    assert.ok((await page.textContent('#warnings')).includes(remark) && (await page.textContent('#experiments')).includes(remark));
    assert.match(await page.textContent('.legend'), /by experiment: /);
    assert.ok((await shown(page)).some((edge) => edge.classes.includes('set')));
    await page.screenshot({ path: 'shots/experiments.png', fullPage: true });
  });

  // A PAG is drawn with its marks: hollow circles, and arrows at either end.
  await withReport('pag', ['run', 'fci', 'asia', '--rows', '5000', '--bootstrap', '2'], async (page, result) => {
    const drawn = await page.evaluate(() => globalThis.agonReport.cy.edges().map((edge) => {
      const end = (side) => ({ none: '-', triangle: side === 'source' ? '<' : '>',
                               circle: edge.style(`${side}-arrow-fill`) === 'hollow' ? 'o' : '?' }[edge.style(`${side}-arrow-shape`)]);
      return [edge.source().data('name'), `${end('source')}-${end('target')}`, edge.target().data('name')];
    }));
    assert.deepEqual(drawn.sort(), result.pag.edges.sort());
    assert.ok(drawn.some(([, glyph]) => glyph.includes('o')) && drawn.some(([, glyph]) => glyph === '<->' || glyph === 'o->'));
    assert.equal(await page.locator('#edge-table tbody tr').count(), result.pag.edges.length);
    assert.equal(await page.getByText('arrows fixed').count(), 0, 'a PAG determines marks, not arrows');
    await page.locator('#edge-table tbody tr').first().click();
    assert.match(await page.textContent('.neighbourhood h3'), new RegExp(result.pag.edges[0][1].replace(/[<>]/g, '.')));
    await page.screenshot({ path: 'shots/pag.png' });
  });

  // Names that would be markup, scripts or properties, were they not text.
  const names = ['</script><img src=x onerror="globalThis.broken=1">', '"><svg onload=globalThis.broken=2>', '__proto__', '<!--',
    "constructor' onmouseover='globalThis.broken=3", 'a&amp;b', '${globalThis.broken=4}'];
  const rows = [];
  for (let k = 0; k < 400; k += 1) {
    const x = (k * 7919) % 2, noise = (step) => ((k * step) % 10 === 0 ? 1 : 0);
    rows.push(names.map((_, j) => (j === 0 ? x : x ^ noise(3 + 2 * j))).join(','));
  }
  const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(',');
  writeFileSync(join(folder, 'hostile.csv'), `${quoted}\n${rows.join('\n')}\n`);
  await withReport('hostile', ['discover', 'hostile.csv', '--moves', '500', '--bootstrap', '5'], async (page, result) => {
    assert.deepEqual(Object.keys(result.data.kinds).sort(), [...names].sort());
    await checkDrawing(page, result);
    await checkSearch(page, result);
    await checkKeysAndMouse(page, result);
    assert.equal(await page.evaluate(() => globalThis.broken), undefined);
    assert.equal(await page.evaluate(() => document.querySelectorAll('svg, iframe, object, img:not(.picture)').length), 0);
    const variables = await page.locator('#data tbody td:first-child').allTextContents();
    assert.deepEqual(variables.sort(), [...names].sort());
    await page.screenshot({ path: 'shots/hostile.png' });
  });

  // With a posterior the most trusted edges are one click away.
  await withReport('trusted', ['discover', 'asia', '--rows', '100', '--data-seed', '3', '--moves', '500', '--posterior'],
    async (page, result) => {
      const named = (edges) => pairs(edges.map(([from, to]) => ({ from, to })));
      const trusted = result.posterior.consensus.edges;
      assert.notDeepEqual(named(trusted), named(result.dag.edges), 'a table on which the two differ');
      assert.deepEqual(pairs(await shown(page)), named(result.dag.edges));
      await page.check('input[name=view][value=trusted]');
      assert.deepEqual(pairs(await shown(page)), named(trusted));
      assert.equal(await page.locator('#trusted-table tbody tr').count(), trusted.length);
      await page.evaluate(([edge]) => globalThis.agonReport.drawing.chooseEdge(JSON.stringify([...edge].sort())), [trusted[0]]);
      assert.match(await page.textContent('.neighbourhood p'), /P\(edge\) [01]\.\d\d, P\(->\)/);
      await page.check('input[name=view][value=champion]');
      assert.deepEqual(pairs(await shown(page)), named(result.dag.edges));
      await page.screenshot({ path: 'shots/trusted.png' });
    });

  // One algorithm alone, a graph without edges, and a narrow window.
  await withReport('alone', ['run', 'ges', 'asia', '--rows', '500'], async (page, result) => {
    await checkDrawing(page, result);
    assert.equal(await page.locator('#match').count(), 0);
    assert.equal(await page.locator('input[name=view]').count(), 0);
  }, { viewport: { width: 420, height: 800 } });
  await withReport('empty', ['run', 'none', 'asia', '--rows', '100'], async (page) => {
    assert.equal(await page.evaluate(() => globalThis.agonReport.cy.nodes().length), 8);
    assert.equal(await page.locator('#slider').count(), 0);
  });

  // A plain page needs no script at all.
  run('report', 'asia', '--plain', '-o', 'plain.html');
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(pathToFileURL(join(folder, 'plain.html')).href);
  const result = JSON.parse(readFileSync(join(folder, 'asia', 'result.json'), 'utf8'));
  assert.equal(await page.locator('#edge-table tbody tr').count(), result.dag.edges.length);
  assert.equal(await page.locator('script').count(), 0);
  await page.screenshot({ path: 'shots/plain.png' });
  console.log('all is well; screenshots are in', join(process.cwd(), 'shots'));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
