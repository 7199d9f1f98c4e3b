// The table: dropped or chosen, and what the data doctor says of it.
import type { Bar, Column, Dataset, Finding, Table } from './answers';
import { byId, count, el, showError } from './parts';
import { type State, changed, kindOptions, nothingKnown } from './state';

const space = 'http://www.w3.org/2000/svg';
const figure = (x: number) => Number(x.toPrecision(4)).toLocaleString('en');
const barText = (bar: Bar) =>
  `${bar.label ?? `${figure(bar.from ?? 0)} to ${figure(bar.to ?? 0)}`}: ${count(bar.rows)} rows`;

function histogram(column: Column): Element {
  const svg = document.createElementNS(space, 'svg');
  const width = 8, height = 28, most = Math.max(1, ...column.bars.map((bar) => bar.rows));
  svg.setAttribute('viewBox', `0 0 ${16 * width} ${height}`);
  svg.setAttribute('class', 'histogram');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', column.bars.length > 0 ? column.bars.map(barText).join('; ') : 'no values');
  column.bars.forEach((bar, k) => {
    const tall = bar.rows === 0 ? 0 : Math.max(1, (bar.rows / most) * height);
    const rect = document.createElementNS(space, 'rect');
    for (const [name, value] of Object.entries({ x: k * width, y: height - tall, width: width - 1, height: tall })) {
      rect.setAttribute(name, String(value));
    }
    const title = document.createElementNS(space, 'title');
    title.textContent = barText(bar);
    rect.append(title);
    svg.append(rect);
  });
  return svg;
}

function reason(column: Column, isChanged: boolean): string {
  if (isChanged) return 'as you chose';
  if (column.identifier) return 'differs from row to row: no edges there';
  if (column.constant) return 'constant: no edges there';
  return column.reason || 'given with the data';
}

export class DataView {
  private said = byId('data-said');
  private shown = byId('table');

  constructor(private state: State, datasets: Dataset[]) {
    const file = byId<HTMLInputElement>('file');
    file.addEventListener('change', () => { if (file.files?.[0]) void this.take(file.files[0]); });
    const drop = byId('drop');
    addEventListener('dragover', (event) => {
      event.preventDefault();
      drop.classList.add('over');
    });
    addEventListener('dragleave', (event) => { if (!event.relatedTarget) drop.classList.remove('over'); });
    addEventListener('drop', (event) => {
      event.preventDefault();
      drop.classList.remove('over');
      const dropped = event.dataTransfer?.files[0];
      if (dropped) void this.take(dropped);
    });
    const select = byId<HTMLSelectElement>('dataset');
    for (const each of datasets) {
      select.append(el('option', { value: each.name }, `${each.name}: ${count(each.rows)} rows, ${each.columns} columns`));
    }
    select.addEventListener('change', () => { if (select.value) void this.open(select.value); });
    this.names = new Set(datasets.map((each) => each.name));
  }

  private names: Set<string>;
  openResult: (file: File) => Promise<void> = async () => undefined;

  private async take(file: File): Promise<void> {
    if (/\.json$/i.test(file.name)) return this.openResult(file);
    this.said.replaceChildren(el('p', { class: 'faint', role: 'status' }, `Reading ${file.name} …`));
    try {
      await this.state.engine.put(file);
    } catch (error) {
      return showError(this.said, error);
    }
    byId<HTMLSelectElement>('dataset').value = '';
    // A file must not be taken for standard input or for a data set of the same name.
    return this.open(file.name === '-' || this.names.has(file.name) ? `./${file.name}` : file.name);
  }

  async open(source: string): Promise<void> {
    if (this.state.isRunning) return;
    // Any name may be that of a column, __proto__ too.
    Object.assign(this.state, { source, kinds: Object.create(null), typed: {}, knowledge: nothingKnown(), outcome: null, isOpened: false });
    await this.examine();
  }

  // Reads the table again with what was chosen; if that is refused, the choice is undone by `undo`.
  async examine(undo: (() => void) | null = null): Promise<void> {
    const { state } = this;
    if (!undo) this.said.replaceChildren(el('p', { class: 'faint', role: 'status' }, `Reading ${state.source} …`));
    try {
      const typed = await state.engine.ask<Record<string, never>>({ do: 'parse', typed: state.typed });
      const known = new Set(dataOptions);
      const options = { ...Object.fromEntries(Object.entries(typed).filter(([name]) => known.has(name))), ...kindOptions(state) };
      state.table = await state.engine.ask<Table>({ do: 'doctor', source: state.source, options });
      this.show(state.table);
    } catch (error) {
      if (undo) undo();
      else {
        state.table = null;
        this.shown.replaceChildren();
      }
      showError(this.said, error);
    }
    changed('table');
  }

  private kindChoice(column: Column): HTMLElement {
    const { state } = this;
    const select = el('select', { 'aria-label': `kind of ${column.name}` });
    for (const [value, text] of [['categorical', 'categorical'], ['continuous', 'continuous'], ['out', 'leave out']]) {
      select.append(el('option', { value }, text ?? ''));
    }
    select.value = state.kinds[column.name] ?? column.kind;
    select.addEventListener('change', () => {
      const before = state.kinds[column.name];
      state.kinds[column.name] = select.value as 'categorical' | 'continuous' | 'out';
      void this.examine(() => {
        if (before) state.kinds[column.name] = before;
        else delete state.kinds[column.name];
        select.value = before ?? column.kind;
      });
    });
    return select;
  }

  private row(column: Column, findings: Finding[]): HTMLElement {
    const isChanged = this.state.kinds[column.name] !== undefined;
    const levels = column.kind === 'categorical' ? `${count(column.levels)} levels` : '';
    const first = column.bars[0], last = column.bars.at(-1);
    const range = column.kind === 'continuous' && first && last ? `${figure(first.from ?? 0)} to ${figure(last.to ?? 0)}` : '';
    const warned = findings.filter((finding) => finding.columns.includes(column.name) && finding.severity !== 'info');
    return el('tr', {},
      el('th', { scope: 'row' }, column.name,
        warned.length > 0 ? el('span', { class: 'flag', title: warned.map((finding) => finding.text).join('\n') }, ' ⚠',
          el('span', { class: 'unseen' }, ` ${warned.map((finding) => finding.text).join(' ')}`)) : null),
      el('td', {}, this.kindChoice(column)),
      el('td', { class: 'faint' }, reason(column, isChanged)),
      el('td', { class: 'number' }, levels || range),
      el('td', { class: column.missing > 0 ? 'number warning' : 'number faint' }, column.missing > 0 ? count(column.missing) : '0'),
      el('td', {}, histogram(column)));
  }

  private left(): HTMLElement | null {
    const { state } = this;
    const names = Object.keys(state.kinds).filter((name) => state.kinds[name] === 'out');
    if (names.length === 0) return null;
    return el('p', {}, 'Left out: ', ...names.map((name) => el('button', { type: 'button', class: 'chip', onclick: () => {
      delete state.kinds[name];
      void this.examine(() => { state.kinds[name] = 'out'; });
    } }, `${name} (take it back)`)));
  }

  private show(table: Table): void {
    const rows = table.columns.map((column) => this.row(column, table.findings));
    const filter = el('input', { type: 'search', placeholder: 'name of a column', 'aria-label': 'show columns whose name has these letters',
      oninput: (event: Event) => {
        const wanted = (event.target as HTMLInputElement).value.toLowerCase();
        rows.forEach((row, k) => { row.hidden = !table.columns[k]?.name.toLowerCase().includes(wanted); });
      } });
    const said = [...table.warnings.map((text) => ({ severity: 'warning', text })), ...table.findings,
                  ...table.notes.map((text) => ({ severity: 'info', text }))];
    const heads: [string, boolean][] = [['column', false], ['kind', false], ['because', false], ['values', true], ['missing', true], ['distribution', false]];
    this.said.replaceChildren();
    this.shown.replaceChildren(
      el('h3', {}, table.source),
      el('p', {}, `${count(table.rows)} rows, ${count(table.columns.length)} columns, ` +
        (table.missing_cells > 0 ? `${count(table.missing_cells)} missing cells in ${count(table.missing_rows)} rows` : 'no missing cells') +
        (table.experiments > 0 ? `, ${table.experiments} experiments` : '')),
      said.length > 0 ? el('ul', { class: 'findings' }, ...said.map(({ severity, text }) =>
        el('li', { class: severity }, el('span', { class: 'unseen' }, `${severity}: `), text)))
        : el('p', { class: 'fine' }, 'The data doctor found nothing that would spoil a search.'),
      this.left() ?? '',
      table.columns.length > 20 ? el('p', {}, filter) : '',
      el('div', { class: 'wide scroll', tabindex: 0, role: 'region', 'aria-label': 'columns' }, el('table', { id: 'columns' },
        el('thead', {}, el('tr', {}, ...heads.map(([text, isNumber]) => el('th', { scope: 'col', class: isNumber ? 'number' : false }, text)))),
        el('tbody', {}, ...rows))));
  }
}

// Options that are about reading the table; the others are about the run alone.
export const dataOptions = ['rows', 'data-seed', 'no-header', 'delimiter', 'decimal', 'quote', 'comment', 'na', 'missing', 'draws',
  'data-type', 'counts', 'weights', 'targets', 'within', 'experiment', 'intervention', 'covariance', 'spearman'];
