// The game by hand: edit the graph, see what each edit earns, and be beaten by the machine.
import cytoscape from 'cytoscape';
import { onTheme } from '../src/dom';
import { nodeWidth } from '../src/layout';
import { LayoutWorker } from '../src/layouts';
import type { Board, Challenge, Move, PairMove, Pair } from './answers';
import { addKeys, fit, styleWith } from './canvas';
import { byId, count, el, gainText, scoreText, showError } from './parts';
import { type State, changed, onChange, request } from './state';

const tie = 1e-6;
const verbs = { add: 'Add', remove: 'Remove', reverse: 'Reverse' };
const moveText = (move: { kind: keyof typeof verbs; from: string; to: string }) => `${verbs[move.kind]} ${move.from} → ${move.to}`;

const styleSheet = () => styleWith((c) => [
  { selector: 'node.chosen', style: { 'background-color': c.accent, color: c.paper, 'border-color': c.accent } },
  { selector: 'edge.costly', style: { 'line-color': c.bad, 'target-arrow-color': c.bad } },
  { selector: 'edge.hint', style: { 'line-style': 'dashed', 'line-color': c.good, 'target-arrow-color': c.good, label: 'data(label)',
    'font-size': 11, color: c.good, 'text-background-color': c.paper, 'text-background-opacity': 0.9, 'text-background-padding': '2px' } },
  { selector: 'edge.chosen', style: { 'line-color': c.accent, 'target-arrow-color': c.accent, width: 3 } },
]);

export class PlayView {
  private board: Board | null = null;
  private cy: cytoscape.Core;
  private aside = new LayoutWorker();
  private steps: Move[] = [];  // of a challenge, not yet shown
  private shown = 0;           // how many of its steps stand on the board
  private said = byId('play-said');
  private from = byId<HTMLSelectElement>('play-from');
  private to = byId<HTMLSelectElement>('play-to');
  private stop = byId<HTMLButtonElement>('challenge-stop');

  constructor(private state: State) {
    this.cy = cytoscape({ container: byId('play-canvas'), style: styleSheet(), layout: { name: 'preset' }, boxSelectionEnabled: false,
      selectionType: 'single', minZoom: 0.05, maxZoom: 3 });
    onTheme(() => this.cy.style(styleSheet()));
    this.cy.on('tap', 'node', (event) => this.tap(event.target.data('name') as string));
    this.cy.on('tap', 'edge', (event) => {
      const { from, to } = event.target.data() as { from: string; to: string };
      void this.choose(from, to);
    });
    byId('play-champion').addEventListener('click', () => void this.open(state.outcome?.result.dag.edges ?? []));
    byId('play-empty').addEventListener('click', () => void this.open([]));
    byId('take-back').addEventListener('click', () => void (this.shown > 0 ? this.stepBack() : this.act({ do: 'back' })));
    byId('challenge').addEventListener('click', () => void this.challenge());
    byId('step').addEventListener('click', () => void this.step());
    byId('step-back').addEventListener('click', () => void this.stepBack());
    byId('play-fit').addEventListener('click', () => fit(this.cy));
    this.stop.addEventListener('click', () => {
      this.stop.disabled = true;
      state.engine.stop();
    });
    for (const select of [this.from, this.to]) select.addEventListener('change', () => void this.look());
    addKeys(byId('play-canvas'), this.cy);
    onChange((change) => {
      if (change === 'table') this.close();
      if (change !== 'options') this.enable();
    });
    this.enable();
  }

  private enable(): void {
    const canPlay = this.state.table !== null && !this.state.isRunning;
    for (const id of ['play-empty', 'play-champion']) byId<HTMLButtonElement>(id).disabled = !canPlay;
    if (!this.state.outcome || this.state.isOpened) byId<HTMLButtonElement>('play-champion').disabled = true;
  }

  private close(): void {
    this.board = null;
    byId('play-area').hidden = true;
    byId('play-intro').hidden = false;
  }

  async open(edges: Pair[]): Promise<void> {
    try {
      this.show(await this.state.engine.ask<Board>({ do: 'board', ...(await request(this.state)), edges }));
    } catch (error) {
      return showError(this.said, error);
    }
    this.steps = [];
    this.shown = 0;
    byId('play-area').hidden = false;
    byId('play-intro').hidden = true;
    for (const select of [this.from, this.to]) {
      select.replaceChildren(...(this.board?.names ?? []).map((name) => el('option', { value: name }, name)));
    }
    const [first, second] = this.board?.names ?? [];
    if (first !== undefined) this.from.value = first;
    if (second !== undefined) this.to.value = second;
    this.cy.resize();
    await this.arrange();
    this.drawChallenge(null);
    await this.look();
  }

  // New positions for all nodes; edits leave them where they are, so that nothing jumps.
  private async arrange(): Promise<void> {
    const { board } = this;
    if (!board) return;
    const hinted = board.edges.length > 0 ? board.edges : board.best.map(({ from, to }) => ({ from, to, strength: 0 }));
    const edges = hinted.map((edge) => ({ ...edge, key: JSON.stringify([edge.from, edge.to]) }));
    const layout = await this.aside.layOut(board.names, edges, 'layers');
    if (!layout) return;
    for (const name of board.names) this.node(name).position(layout.positions.get(name) ?? { x: 0, y: 0 });
    fit(this.cy);
  }

  private node(name: string): cytoscape.NodeSingular {
    return this.cy.getElementById(`n${name}`) as cytoscape.NodeSingular;
  }

  // The first click chooses a cause, the second its effect.
  private tap(name: string): void {
    const chosen = this.cy.nodes('.chosen');
    if (chosen.length !== 1 || chosen[0]?.data('name') === name) {
      this.cy.elements().removeClass('chosen');
      this.node(name).addClass('chosen');
      this.from.value = name;
      byId('pair').replaceChildren(el('p', { class: 'faint' }, `Now click what ${name} should cause.`));
      return;
    }
    void this.choose(this.from.value, name);
  }

  private async choose(from: string, to: string): Promise<void> {
    this.from.value = from;
    this.to.value = to;
    await this.look();
  }

  // What can be done with the pair, and what it earns.
  private async look(): Promise<void> {
    const place = byId('pair');
    const from = this.from.value, to = this.to.value;
    this.cy.elements().removeClass('chosen');
    this.node(from).addClass('chosen');
    this.node(to).addClass('chosen');
    if (this.state.isRunning || !this.board) return;
    const moves = await this.state.engine.ask<PairMove[]>({ do: 'pair', from, to });
    const possible = moves.filter((move) => move.gain !== undefined);
    const shown = possible.length > 0 ? possible : moves.filter((move) => move.kind === 'add');
    place.replaceChildren(el('ul', { class: 'moves' }, ...shown.map((move) => el('li', {},
      move.gain === undefined ? el('p', { class: 'warning', role: 'status' }, `Not possible: ${move.why_not}.`)
        : this.moveButton({ ...move, gain: move.gain })))));
  }

  private moveButton(move: Move): HTMLElement {
    return el('button', { type: 'button', class: `move ${move.gain > tie ? 'gains' : move.gain < -tie ? 'loses' : ''}`,
      onclick: () => void this.act({ do: 'play', kind: move.kind, from: move.from, to: move.to }) },
    el('span', {}, moveText(move)), el('b', {}, gainText(move.gain)));
  }

  private async act(asked: { do: string } & Record<string, unknown>): Promise<void> {
    if (this.state.isRunning) return;
    this.said.replaceChildren();
    try {
      this.show(await this.state.engine.ask<Board>(asked));
      this.forget();
      await this.look();
    } catch (error) {
      showError(this.said, error);
    }
  }

  // The steps of a challenge lead from the graph as it was then.
  private forget(): void {
    if (this.steps.length === 0) return;
    this.steps = [];
    this.shown = 0;
    this.drawChallenge(null);
  }

  private show(board: Board): void {
    this.board = board;
    const gained = board.score - board.start_score;
    byId('score').textContent = scoreText(board.score);
    byId('score-name').textContent = board.score_name;
    const change = byId('score-change');
    change.textContent = board.played.length === 0 ? 'as opened' : `${gainText(gained)} since it was opened`;
    change.className = gained > tie ? 'gains' : gained < -tie ? 'loses' : '';
    byId('best').replaceChildren(...board.best.map((move) => el('li', {}, this.moveButton(move))));
    byId('best-none').hidden = board.best.length > 0;
    byId('history').replaceChildren(...board.played.map((move) => el('li', {}, `${moveText(move)} `, el('b', {}, gainText(move.gain)))));
    byId<HTMLButtonElement>('take-back').disabled = board.played.length === 0;
    this.draw(board);
  }

  private draw(board: Board): void {
    // The best three, one direction of each pair.
    const key = ({ from, to }: Move) => [from, to].sort().join('\n');
    const hints = board.best.filter((move, k) => board.best.findIndex((other) => key(other) === key(move)) === k).slice(0, 3);
    const nodes = board.names.map((name) => ({ group: 'nodes' as const, data: { id: `n${name}`, name, width: nodeWidth(name) } }));
    const line = (from: string, to: string, more: object, classes: string) =>
      ({ group: 'edges' as const, data: { source: `n${from}`, target: `n${to}`, from, to, ...more }, classes });
    this.cy.batch(() => {
      if (this.cy.nodes().length !== nodes.length || nodes.some(({ data }) => this.cy.getElementById(data.id).empty())) {
        this.cy.elements().remove();
        this.cy.add(nodes);
      }
      this.cy.edges().remove();
      this.cy.add(board.edges.map((edge) => line(edge.from, edge.to, {}, edge.strength < -tie ? 'costly' : '')));
      this.cy.add(hints.filter((move) => move.kind === 'add')
        .map((move) => line(move.from, move.to, { label: gainText(move.gain) }, 'hint')));
    });
  }

  private async challenge(): Promise<void> {
    const { state } = this, { engine } = state;
    if (state.isRunning || !this.board) return;
    this.forget();
    state.isRunning = true;
    this.stop.hidden = false;
    this.stop.disabled = false;
    byId('verdict').textContent = 'The machine is playing against your graph …';
    changed('busy');
    try {
      const answer = await engine.ask<Challenge>({ do: 'challenge' }, (progress) => {
        if (!('phase' in progress)) return;
        byId('verdict').textContent = `The machine is playing: ${count(progress.steps)} ${progress.unit}s` +
          (progress.gain !== undefined && progress.gain > tie ? `, ${gainText(progress.gain)} so far` : '') + ' …';
      });
      this.drawChallenge(answer);
    } catch (error) {
      showError(this.said, error);
      this.drawChallenge(null);
    }
    this.stop.hidden = true;
    state.isRunning = false;
    changed('busy');
  }

  private drawChallenge(answer: Challenge | null): void {
    this.steps = answer?.steps ?? [];
    this.shown = 0;
    byId('verdict').textContent = answer === null ? 'Your graph becomes the opponent: agon plays from it and shows the edits that beat it.'
      : answer.steps.length === 0 ? `You win: in ${count(answer.moves)} moves the machine found nothing better than ${scoreText(answer.score)}.`
        : `The machine beats your graph by ${gainText(answer.gain)} nats (${scoreText(answer.score)}), in ${answer.steps.length} edits:`;
    this.drawSteps();
  }

  private drawSteps(): void {
    byId('steps').replaceChildren(...this.steps.map((move, k) => el('li', { class: k < this.shown ? 'done' : '' }, `${moveText(move)} `,
      el('b', {}, gainText(move.gain)))));
    byId('step-buttons').hidden = this.steps.length === 0;
    byId<HTMLButtonElement>('step').disabled = this.shown === this.steps.length;
    byId<HTMLButtonElement>('step-back').disabled = this.shown === 0;
  }

  private async step(): Promise<void> {
    const move = this.steps[this.shown];
    if (!move || this.state.isRunning) return;
    this.show(await this.state.engine.ask<Board>({ do: 'play', kind: move.kind, from: move.from, to: move.to }));
    this.shown += 1;
    this.drawSteps();
    this.from.value = move.from;
    this.to.value = move.to;
    await this.look();
  }

  private async stepBack(): Promise<void> {
    if (this.shown === 0 || this.state.isRunning) return;
    this.show(await this.state.engine.ask<Board>({ do: 'back' }));
    this.shown -= 1;
    this.drawSteps();
    await this.look();
  }

  // For the tests.
  get drawn(): { from: string; to: string; hint: boolean }[] {
    return this.cy.edges().map((edge) => ({ from: edge.data('from') as string, to: edge.data('to') as string, hint: edge.hasClass('hint') }));
  }
}
