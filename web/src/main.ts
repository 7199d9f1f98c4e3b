// Makes the page interactive. agon has already written the tables; this adds the drawing, the chart, sorting and the
// choice between light and dark. Everything is drawn from the result embedded in the page.
import { Drawing } from './graph';
import { addPanel } from './panel';
import { drawMatch } from './chart';
import { el, onTheme, setTheme, theme } from './dom';
import { readEffects } from './effects';
import { type Result, key, readModel } from './model';
import { layOut } from './layout';
import { isWorker, serveLayouts } from './layouts';
import { makeSortable } from './tables';

function themeButton(): void {
  const button = el('button', { type: 'button', class: 'theme', onclick: () => setTheme(theme() === 'dark' ? 'light' : 'dark') });
  const name = () => { button.textContent = theme() === 'dark' ? 'light' : 'dark'; };
  name();
  onTheme(name);
  button.title = 'light or dark';
  document.querySelector('header')?.append(button);
}

// On paper everything is light, all that is drawn is on the page, and there are no controls.
function printing(drawing: Drawing): void {
  let chosen: string | undefined;
  const picture = el('img', { class: 'picture', alt: 'the graph' });
  drawing.cy.container()?.after(picture);
  addEventListener('beforeprint', () => {
    chosen = document.documentElement.dataset.theme;
    setTheme('light');
    picture.src = drawing.cy.png({ full: true, maxWidth: 3000, maxHeight: 3000, bg: '#ffffff' });
  });
  addEventListener('afterprint', () => setTheme(chosen));
}

function edgeRows(drawing: Drawing, rows: HTMLTableRowElement[]): void {
  for (const row of rows) row.addEventListener('click', () => drawing.chooseEdge(key(row.dataset.from ?? '', row.dataset.to ?? '')));
}

function start(): void {
  const began = performance.now();
  const result = JSON.parse(document.getElementById('result')?.textContent ?? '') as Result;
  const rows = [...document.querySelectorAll<HTMLTableRowElement>('#edge-table tbody tr')];
  const model = readModel(result, rows);
  themeButton();
  document.querySelectorAll<HTMLTableElement>('table.sortable').forEach(makeSortable);

  const container = el('div', { class: 'canvas', tabindex: 0, role: 'application', 'aria-label':
    `drawing of the graph, ${model.names.length} nodes; arrow keys move, plus and minus zoom, 0 shows all` });
  document.getElementById('reading')?.before(el('div', { class: 'frame' }, el('div', { class: 'stage' }, container)));
  const drawing = new Drawing(container, model);
  const effects = readEffects();
  addPanel(drawing, container, effects);
  printing(drawing);
  const match = document.getElementById('match');
  if (match) drawMatch(match, result);
  edgeRows(drawing, rows);
  document.documentElement.classList.add('alive');
  // For users of the browser's console, and for the tests.
  Object.assign(globalThis, { agonReport: { result, effects, drawing, layOut, cy: drawing.cy, milliseconds: performance.now() - began } });
}

// The tables are painted first: laying out a large graph takes a moment.
if (isWorker) serveLayouts();
else requestAnimationFrame(() => setTimeout(start));
