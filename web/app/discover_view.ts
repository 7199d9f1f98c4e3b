// A run: what it will take, its progress, and its result, which the report draws.
import type { Arm, Forecast, Format, News, Outcome } from './answers';
import { AskView } from './ask_view';
import { LiveChart } from './live_chart';
import { LiveGraph } from './live_graph';
import { byId, count, el, gainText, save, scoreText, showError } from './parts';
import { type State, changed, onChange, request } from './state';

export class DiscoverView {
  private said = byId('discover-said');
  private start = byId<HTMLButtonElement>('discover');
  private stop = byId<HTMLButtonElement>('stop');
  private chart = new LiveChart(byId('live-chart'));
  private graph = new LiveGraph(byId('live-graph'));
  private ask: AskView;
  private report = '';
  private isForecast = false;  // what is shown is of the options that are chosen now

  constructor(private state: State, private formats: Format[]) {
    this.start.addEventListener('click', () => void this.run());
    this.stop.addEventListener('click', () => {
      this.stop.disabled = true;
      byId('phase').textContent = 'Stopping: the best graph so far is being checked …';
      state.engine.stop();
    });
    const format = byId<HTMLSelectElement>('format');
    format.append(...formats.map((each) => el('option', { value: each.name }, `${each.name}: ${each.description}`)));
    this.ask = new AskView(state);
    byId('save-json').addEventListener('click', () => void this.export('result.json'));
    byId('save-report').addEventListener('click', () => save('report.html', this.report, 'text/html'));
    byId('save-proof').addEventListener('click', () => void this.export('proof.txt'));
    byId('save-graph').addEventListener('click', () => void this.export('graph'));
    let later = 0;
    onChange((change) => {
      if (change !== 'outcome' && change !== 'busy') this.isForecast = false;
      if (this.isForecast || state.isRunning) return;
      clearTimeout(later);
      later = setTimeout(() => void this.forecast(), change === 'table' ? 0 : 300);
    });
  }

  private async forecast(): Promise<void> {
    const { state } = this;
    const place = byId('forecast');
    this.start.disabled = !state.table;
    if (!state.table) {
      place.replaceChildren(el('p', { class: 'faint' }, 'Choose a table first.'));
      return;
    }
    if (state.isRunning) return;
    this.isForecast = true;
    try {
      const expected = await state.engine.ask<Forecast>({ do: 'forecast', ...(await request(state)) });
      place.replaceChildren(
        el('p', {}, `${expected.text[0]?.toUpperCase()}${expected.text.slice(1)}. In a browser it takes two to four times as long.`),
        el('p', { class: 'faint' }, `Score: ${expected.score}, ${expected.reason}.`),
        el('p', { class: 'faint' }, 'The same on the command line: ', el('code', {}, expected.command)));
      this.said.replaceChildren();
    } catch (error) {
      this.start.disabled = true;
      place.replaceChildren();
      showError(this.said, error);
    }
  }

  // The arms of the match: whoever gains more gets more of the next round.
  private showArms(arms: Arm[]): void {
    byId('arms').hidden = arms.length === 0;
    byId('arm-rows').replaceChildren(...arms.map((arm) => el('tr', {},
      el('th', { scope: 'row' }, arm.name),
      el('td', {}, el('meter', { min: 0, max: 1, value: arm.share, 'aria-label': `share of ${arm.name}` }),
        ` ${(100 * arm.share).toFixed(0)} %`),
      el('td', { class: 'number' }, count(arm.moves)),
      el('td', { class: 'number' }, scoreText(arm.gained)),
      el('td', { class: 'number' }, count(arm.champions)))));
  }

  private tell(progress: News): void {
    if ('arms' in progress) return this.showArms(progress.arms);
    if ('champion' in progress) {
      void this.graph.draw(this.state.table?.columns.map((column) => column.name) ?? [], progress.champion);
      byId('champion-said').textContent = `Champion so far: ${progress.champion.length} edges, score ${scoreText(progress.score)}, found by ${progress.found_by}`;
      return;
    }
    const done = progress.budget > 0 ? Math.min(1, progress.steps / progress.budget) : undefined;
    const bar = byId<HTMLProgressElement>('bar');
    if (done === undefined) bar.removeAttribute('value');
    else bar.value = done;
    if (this.stop.disabled) return;
    byId('phase').textContent = `${progress.phase}: ${count(progress.steps)}${progress.budget > 0 ? ` of ${count(progress.budget)}` : ''} ${progress.unit}s` +
      (progress.score === undefined ? '' : `, score ${scoreText(progress.score)}`) +
      (progress.edges === undefined ? '' : `, ${progress.edges} edges`) +
      (progress.gain === undefined ? '' : `, ${gainText(progress.gain)} over the best opponent`);
    this.chart.add(progress);
  }

  async run(): Promise<void> {
    const { state } = this;
    if (state.isRunning || !state.table) return;
    this.said.replaceChildren();
    byId('running').hidden = false;
    byId('result').hidden = true;
    this.start.disabled = true;
    this.stop.disabled = false;
    byId('phase').textContent = 'Preparing …';
    this.chart.begin();
    this.graph.clear();
    this.showArms([]);
    byId('champion-said').textContent = 'The first champion appears when every opponent has proposed a graph.';
    state.isRunning = true;
    changed('busy');
    this.stop.focus();
    try {
      const asked = await request(state);
      const outcome = await state.engine.ask<Outcome>({ do: 'discover', ...asked }, (progress) => this.tell(progress));
      await this.show(outcome, false);
    } catch (error) {
      showError(this.said, error);
    }
    byId('running').hidden = true;
    this.start.disabled = false;
    state.isRunning = false;
    changed('busy');
  }

  async open(file: File): Promise<void> {
    const outcome = await this.state.engine.ask<Outcome>({ do: 'open', text: await file.text(), name: file.name });
    await this.show(outcome, true);
  }

  private async show(outcome: Outcome, isOpened: boolean): Promise<void> {
    const { state } = this;
    this.report = await state.engine.ask<string>({ do: 'report' });
    Object.assign(state, { outcome, isOpened });
    const graph = byId<HTMLSelectElement>('which');
    graph.replaceChildren(...outcome.graphs.map((name) => el('option', { value: name }, name)));
    byId('result').hidden = false;
    byId('save-proof').hidden = !outcome.proof;
    this.ask.show(outcome);
    const frame = el('iframe', { title: 'the report', class: 'report', srcdoc: this.report });
    byId('report').replaceChildren(frame);
    frame.addEventListener('load', () => this.follow(frame));
    byId('result-title').focus();
    changed('outcome');
  }

  // The report is as tall as its content, and as light or dark as the page.
  private follow(frame: HTMLIFrameElement): void {
    const inner = frame.contentDocument?.documentElement;
    if (!inner) return;
    const chosen = document.documentElement.dataset.theme;
    if (chosen) inner.dataset.theme = chosen;
    inner.style.setProperty('--view', `${0.72 * innerHeight}px`);  // of the page: the frame grows with what is in it
    const grow = () => { frame.style.height = `${inner.scrollHeight + 4}px`; };
    new ResizeObserver(grow).observe(inner.querySelector('body') ?? inner);
    grow();
  }

  private async export(what: string): Promise<void> {
    const { engine } = this.state;
    try {
      if (what === 'result.json') return save(what, await engine.ask<string>({ do: 'result' }), 'application/json');
      if (what === 'proof.txt') return save(what, await engine.ask<string>({ do: 'proof' }), 'text/plain');
      const which = byId<HTMLSelectElement>('which').value, format = byId<HTMLSelectElement>('format').value;
      const written = await engine.ask<{ text: string; warnings: string[] }>({ do: 'graph', which, format });
      byId('export-said').textContent = written.warnings.join(' ');
      const extension = this.formats.find((each) => each.name === format)?.extension ?? '';
      return save(`${which}${extension === `.${format}` ? '' : `.${format}`}${extension}`, written.text, 'text/plain');
    } catch (error) {
      return showError(byId('export-said'), error);
    }
  }
}
