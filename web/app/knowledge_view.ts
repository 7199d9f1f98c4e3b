// What the visitor knows: tiers as lanes, required and forbidden edges as a list; read from and written to a file.
import type { Knowledge, Pair } from './answers';
import { type Drawn, type EdgeKind, KnowledgeDrawing } from './knowledge_drawing';
import { button, byId, el, save, showError } from './parts';
import { type State, changed, nothingKnown, onChange } from './state';

// Tetrad's format, which agon reads (agon/graph/knowledge.h).
const quoted = (name: string) => (/^[\w.-]+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
export function knowledgeFile({ tiers, required, forbidden }: Knowledge): string {
  const pairs = (list: Pair[]) => list.map(([from, to]) => `${quoted(from)} ${quoted(to)}`);
  const lanes = tiers.map((members, k) => `${k + 1} ${members.map(quoted).join(' ')}`);
  return ['/knowledge', 'addtemporal', ...lanes, 'forbiddirect', ...pairs(forbidden), 'requiredirect', ...pairs(required), ''].join('\n');
}

export class KnowledgeView {
  private lanes = byId('lanes');
  private list = byId('known-edges');
  private said = byId('knowledge-said');
  private laneCount = 2;
  private wanted = '';  // letters of the names that are searched for
  readonly drawing: KnowledgeDrawing;

  constructor(private state: State) {
    byId('more-lanes').addEventListener('click', () => {
      this.laneCount += 1;
      this.draw();
    });
    byId('add-edge').addEventListener('submit', (event) => {
      event.preventDefault();
      this.addEdge();
    });
    const kind = () => byId<HTMLInputElement>('draw-forbidden').checked ? 'forbidden' : 'required';
    this.drawing = new KnowledgeDrawing(byId('knowledge-canvas'), kind, (what, pair) => this.know(what, pair), (drawn) => this.forget(drawn));
    byId('knowledge-search').addEventListener('input', (event) => {
      this.wanted = (event.target as HTMLInputElement).value.trim().toLowerCase();
      this.draw();
    });
    addEventListener('resize', () => this.drawing.arrange());
    byId('knowledge-export').addEventListener('click', () => save('knowledge.txt', knowledgeFile(state.knowledge), 'text/plain'));
    byId('knowledge-clear').addEventListener('click', () => this.set(nothingKnown()));
    const file = byId<HTMLInputElement>('knowledge-import');
    file.addEventListener('change', () => {
      const chosen = file.files?.[0];
      file.value = '';
      if (chosen) void this.read(chosen);
    });
    onChange((change) => { if (change === 'table') this.draw(); });
  }

  private names(): string[] {
    return this.state.table?.columns.map((column) => column.name) ?? [];
  }

  private set(knowledge: Knowledge): void {
    this.state.knowledge = knowledge;
    this.said.replaceChildren();
    this.draw();
    changed('options');
  }

  private async read(file: File): Promise<void> {
    try {
      const text = await file.text();
      this.set(await this.state.engine.ask<Knowledge>({ do: 'knowledge', text, name: file.name, names: this.names() }));
    } catch (error) {
      showError(this.said, error);
    }
  }

  private laneOf(name: string): number {
    return this.state.knowledge.tiers.findIndex((members) => members.includes(name));
  }

  // Lane -1 holds what is in no tier. Empty lanes at the end are no tiers.
  private move(name: string, lane: number): void {
    const { knowledge } = this.state;
    const tiers = Array.from({ length: this.laneCount }, (_, k) => (knowledge.tiers[k] ?? []).filter((each) => each !== name));
    tiers[lane]?.push(name);
    while (tiers.at(-1)?.length === 0) tiers.pop();
    this.set({ ...knowledge, tiers });
    this.lanes.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"]`)?.focus();
  }

  private chip(name: string, lane: number): HTMLElement {
    const place = lane < 0 ? 'in no tier' : `in tier ${lane + 1}`;
    return el('button', { type: 'button', class: 'chip', draggable: 'true', 'data-name': name,
      'aria-label': `${name}, ${place}; arrow keys move it`,
      ondragstart: (event: DragEvent) => event.dataTransfer?.setData('text/agon-column', name),
      onkeydown: (event: KeyboardEvent) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step || lane + step < -1 || lane + step >= this.laneCount) return;
        event.preventDefault();
        this.move(name, lane + step);
      } }, name);
  }

  private lane(k: number): HTMLElement {
    const members = this.found().filter((name) => this.laneOf(name) === k);
    return el('div', { class: 'lane', role: 'group', 'aria-label': k < 0 ? 'in no tier' : `tier ${k + 1}`,
      ondragover: (event: DragEvent) => { if (event.dataTransfer?.types.includes('text/agon-column')) event.preventDefault(); },
      ondrop: (event: DragEvent) => {
        const name = event.dataTransfer?.getData('text/agon-column');
        if (!name) return;
        event.preventDefault();
        event.stopPropagation();
        this.move(name, k);
      } },
    el('h4', {}, k < 0 ? 'Any time' : `Tier ${k + 1}${k === 0 ? ' (earliest)' : ''}`), ...members.map((name) => this.chip(name, k)));
  }

  private addEdge(): void {
    const value = (id: string) => byId<HTMLSelectElement>(id).value;
    const pair: Pair = [value('edge-from'), value('edge-to')];
    const kind = value('edge-kind') === 'required' ? 'required' : 'forbidden';
    if (pair[0] === pair[1]) return showError(this.said, new Error('An edge needs two different columns.'));
    this.know(kind, pair);
  }

  // An edge is required or forbidden: what was said last counts.
  private know(kind: EdgeKind, pair: Pair): void {
    const { knowledge } = this.state;
    const others = (list: Pair[]) => list.filter(([from, to]) => from !== pair[0] || to !== pair[1]);
    const known = { ...knowledge, required: others(knowledge.required), forbidden: others(knowledge.forbidden) };
    known[kind].push(pair);
    this.set(known);
  }

  private forget({ kind, pair }: Drawn): void {
    const { knowledge } = this.state;
    this.set({ ...knowledge, [kind]: knowledge[kind].filter((each) => each !== pair) });
  }

  private found(): string[] {
    return this.names().filter((name) => name.toLowerCase().includes(this.wanted));
  }

  private edge(kind: EdgeKind, pair: Pair): HTMLElement {
    const text = `${pair[0]} → ${pair[1]}`;
    return el('li', {}, el('b', { class: kind }, kind), ` ${text} `,
      button('remove', () => this.forget({ kind, pair }), { 'aria-label': `remove ${kind} ${text}` }));
  }

  private draw(): void {
    const { knowledge } = this.state;
    const names = this.names();
    this.laneCount = Math.max(2, this.laneCount, knowledge.tiers.length);
    this.lanes.replaceChildren(...Array.from({ length: this.laneCount + 1 }, (_, k) => this.lane(k - 1)));
    for (const id of ['edge-from', 'edge-to']) {
      const select = byId<HTMLSelectElement>(id), before = select.value;
      select.replaceChildren(...names.map((name) => el('option', { value: name }, name)));
      if (names.includes(before)) select.value = before;
    }
    this.list.replaceChildren(...knowledge.required.map((pair) => this.edge('required', pair)),
      ...knowledge.forbidden.map((pair) => this.edge('forbidden', pair)));
    const drawn = (kind: EdgeKind) => knowledge[kind].map((pair): Drawn => ({ kind, pair }));
    const lanes = Array.from({ length: knowledge.tiers.length + 1 }, (_, k) => names.filter((name) => this.laneOf(name) === k - 1));
    this.drawing.show(lanes, [...drawn('required'), ...drawn('forbidden')]);
    this.drawing.mark(new Set(this.wanted ? this.found() : []));
    const known = knowledge.tiers.length + knowledge.required.length + knowledge.forbidden.length;
    byId('tab-knowledge').classList.toggle('used', known > 0);
  }
}
