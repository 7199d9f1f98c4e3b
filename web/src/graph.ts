// The drawing of the most trusted edges, of the champion, of an opponent, or of the difference of the last two.
import cytoscape from 'cytoscape';
import { colours, onTheme } from './dom';
import type { Possible } from './effects';
import { placeLabels } from './labels';
import { type Kind, type Layout, layOut, nodeHeight, nodeWidth, segments } from './layout';
import { LayoutWorker, isQuick } from './layouts';
import type { Edge, Model } from './model';
import { type Item, type Owner, type Scene, type SceneState, type View, figuresOf, firstEdges, isLarge, sceneOf } from './scene';

function styleSheet(): cytoscape.StylesheetJson {
  const c = colours();
  const fate = (name: string, colour: string) => ({ selector: `edge.${name}`, style: { 'line-color': colour, 'target-arrow-color': colour } });
  return [
    { selector: 'node', style: {
      shape: 'round-rectangle', width: 'data(width)', height: nodeHeight, 'background-color': c.node,
      'border-width': 1, 'border-color': c.line, label: 'data(name)', color: c.ink, 'font-size': 'data(font)',
      'font-family': 'system-ui, sans-serif', 'text-valign': 'center', 'text-max-width': 204, 'text-wrap': 'ellipsis' } },
    { selector: 'node.mute', style: { label: '' } },
    { selector: 'node.floating', style: {
      'text-max-width': 2000, 'text-background-color': c.node, 'text-background-opacity': 0.9, 'z-index': 10 } },
    { selector: 'edge', style: {
      width: 'data(thickness)', 'line-color': c.line, 'target-arrow-color': c.line, 'arrow-scale': 0.9,
      'curve-style': 'bezier', 'target-arrow-shape': 'triangle', 'overlay-padding': 4 } },
    { selector: 'edge[distances]', style: {
      'curve-style': 'round-segments', 'segment-distances': 'data(distances)', 'segment-weights': 'data(weights)',
      'segment-radii': 12, 'edge-distances': 'node-position' } },
    { selector: 'edge.open', style: { 'line-style': 'dashed', 'line-dash-pattern': [5, 4], 'target-arrow-shape': 'none' } },
    { selector: 'edge.weak', style: { 'line-style': 'dashed', 'line-dash-pattern': [2, 4] } },
    { selector: 'edge.open.weak', style: { 'line-dash-pattern': [6, 3, 2, 3] } },
    { selector: 'edge.known', style: {
      'line-color': c.known, 'target-arrow-color': c.known, 'target-arrow-shape': 'triangle-tee' } },
    { selector: 'edge.set', style: {
      'line-color': c.set, 'target-arrow-color': c.set, 'target-arrow-shape': 'vee' } },
    { selector: 'edge.unsure', style: {
      'line-color': c.doubt, 'target-arrow-color': c.doubt, 'target-arrow-fill': 'hollow' } },
    { selector: 'edge[fade]', style: { opacity: 'data(fade)' } },
    { selector: 'edge.pag', style: {
      'source-arrow-color': c.line, 'source-arrow-shape': 'data(sourceMark)', 'source-arrow-fill': 'data(sourceFill)',
      'target-arrow-shape': 'data(targetMark)', 'target-arrow-fill': 'data(targetFill)' } },
    fate('added', c.good), fate('dropped', c.bad), fate('turned', c.doubt),
    { selector: 'edge.added, edge.dropped, edge.turned', style: { width: (edge: cytoscape.EdgeSingular) => (edge.data('thickness') as number) + 2, 'z-index': 5 } },
    { selector: 'edge.same', style: { opacity: 0.3 } },
    { selector: '.hidden', style: { display: 'none' } },
    { selector: '.away', style: { opacity: 0.12 } },
    { selector: 'edge.aside', style: { opacity: 0.3 } },
    { selector: 'node.match', style: { 'border-color': c.accent, 'border-width': 3 } },
    { selector: 'node.adjusted', style: { 'border-color': c.doubt, 'border-width': 3, 'border-style': 'dashed' } },
    { selector: 'node.chosen', style: { 'background-color': c.accent, color: c.paper, 'border-color': c.accent } },
    { selector: 'node.chosen.floating', style: { 'text-background-color': c.accent, 'text-background-opacity': 1 } },
    { selector: 'edge.chosen', style: { opacity: 1,
      'line-color': c.accent, 'target-arrow-color': c.accent, 'source-arrow-color': c.accent, 'z-index': 9 } },
    { selector: 'edge.near', style: { 'z-index': 8 } },
    { selector: ':active', style: { 'overlay-opacity': 0 } },
  ] as cytoscape.StylesheetJson;
}

// The ends of an edge of a PAG: arrows, hollow circles, or nothing.
function marks(glyph: string) {
  const shape: Record<string, string> = { '-': 'none', o: 'circle', '<': 'triangle', '>': 'triangle' };
  const fill = (mark: string) => (mark === 'o' ? 'hollow' : 'filled');
  const source = glyph[0] ?? '-', target = glyph.at(-1) ?? '-';
  return { sourceMark: shape[source], sourceFill: fill(source), targetMark: shape[target], targetFill: fill(target) };
}

// The thickness of an edge shows how much score it is worth, on a logarithmic scale.
function thickness(edges: Edge[]): (edge: Edge) => number {
  const log = (edge: Edge) => Math.log1p(Math.max(0, edge.strength ?? 0));
  const most = edges.reduce((largest, edge) => Math.max(largest, log(edge)), 1e-9);
  return (edge) => 1.1 + 2.6 * (log(edge) / most);
}

// An edge fades with its probability, or the share of resamples that have it; one that none of them has can still be
// seen.
const fade = (edge: Edge) => {
  const given = edge.posterior ?? edge.shares;
  return given ? { fade: 0.25 + 0.75 * given.edge } : {};
};

function look(edge: Edge): string[] {
  return [edge.directed ? 'fixed' : 'open', edge.by_knowledge && 'known', edge.by_experiment && 'set',
          edge.unsure && 'unsure', edge.weak && 'weak']
    .filter((name): name is string => Boolean(name));
}

type Choice = (name: string | null, key?: string | null, outcome?: string) => void;

export class Drawing {
  readonly isLarge: boolean;
  readonly cy: cytoscape.Core;
  state: SceneState;
  scene!: Scene;                                // set by refresh()
  chosen: string | null = null;
  chosenEdge: string | null = null;
  isLayingOut = false;                          // what is drawn is not yet what was asked for
  asking: string | null = null;                 // the cause of a question that waits for its outcome
  private paths: { nodes: Set<string>; adjusted: string[]; of: string } | null = null;  // what answers one
  private hovered: string | null = null;
  private layout: Kind = 'layers';
  private aside = new LayoutWorker();
  private words = '';                           // that names are searched for
  private stage = '';
  private later = 0;
  private listeners: Choice[] = [];
  private thickness: (edge: Edge) => number;

  constructor(container: HTMLElement, readonly model: Model) {
    this.isLarge = isLarge(model);
    this.thickness = thickness(model.champion);
    this.state = { view: 'champion', opponent: model.best, centre: [],
                   figure: model.trusted ? 'probability' : figuresOf(model.champion)[0] ?? 'strength',
                   limit: this.isLarge ? firstEdges : Infinity };
    this.cy = cytoscape({
      container, style: styleSheet(), layout: { name: 'preset' }, autoungrabify: true,
      boxSelectionEnabled: false, selectionType: 'single', minZoom: 0.02, maxZoom: 4 });
    this.refresh();

    this.cy.on('tap', (event) => {
      if (event.target === this.cy) this.choose(null);
      else if (event.target.isNode()) this.pick(event.target.data('name') as string);
      else this.chooseEdge(event.target.data('key') as string);
    });
    this.cy.on('mouseover', 'node', (event) => this.hover(event.target.data('name') as string));
    this.cy.on('mouseout', 'node', () => this.hover(null));
    this.cy.on('zoom', () => {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.label(), 40);
    });
    onTheme(() => this.cy.style(styleSheet()));
  }

  get view(): View {
    return this.state.view;
  }

  // Draws what the state asks for. A small graph is laid out once, and what is not asked for is hidden, so that nothing
  // jumps when the view changes. Of a large one, only what is asked for is there, in a layout of its own.
  refresh(): void {
    const { model } = this;
    this.scene = sceneOf(model, this.state);
    const wanted = this.isLarge ? this.scene.items : this.everything();
    const stage = JSON.stringify([this.layout, this.state.centre, wanted.map(({ edge, owner }) => [edge.key, owner])]);
    if (stage === this.stage) {
      if (!this.isLayingOut) this.show();
      return;
    }
    this.stage = stage;
    const edges = (this.isLarge ? wanted : wanted.filter(({ owner }) => owner === 'champion')).map(({ edge }) => edge);
    const names = this.isLarge ? this.shownNames() : model.names;
    const finish = (layout: Layout) => {
      this.setBusy(false);
      this.build(names, wanted, layout);
      this.search(this.words);
      this.fit();
      this.show();
    };
    this.aside.stop();
    if (isQuick(names, edges)) return finish(layOut(names, edges, this.layout));
    this.setBusy(true);
    void this.aside.layOut(names, edges, this.layout).then((layout) => { if (layout) finish(layout); });
  }

  private setBusy(isBusy: boolean): void {
    this.isLayingOut = isBusy;
    this.cy.container()?.setAttribute('aria-busy', String(isBusy));
  }

  // Of what is drawn, what the view shows, and how.
  private show(): void {
    const drawn = new Map(this.scene.items.map((item) => [`${item.owner} ${item.edge.key}`, item]));
    this.cy.batch(() => this.cy.edges().forEach((element) => {
      const item = drawn.get(`${element.data('owner')} ${element.data('key')}`);
      element.toggleClass('hidden', !item);
      element.removeClass(['same', 'added', 'dropped', 'turned']);
      if (item?.fate) element.addClass(item.fate);
    }));
    this.focus();
  }

  // All edges that some view of a small graph has. The layout is made for the champion's.
  everything(): Item[] {
    const of = (edges: Edge[], owner: Owner): Item[] => edges.map((edge) => ({ edge, owner }));
    const { opponents } = this.model;
    return [...of(this.model.champion, 'champion'), ...of(this.model.trusted ?? [], 'trusted'),
            ...opponents.flatMap((opponent, k) => of(opponent.edges, k))];
  }

  private build(names: string[], items: Item[], { positions, bends }: Layout): void {
    const nodes = names.map((name): cytoscape.ElementDefinition => ({ group: 'nodes', position: positions.get(name)!,
      data: { id: `n${name}`, name, width: nodeWidth(name), font: 13 } }));
    const lines = items.map(({ edge, owner }): cytoscape.ElementDefinition => {
      const data = { id: `${owner} ${edge.key}`, source: `n${edge.from}`, target: `n${edge.to}`, key: edge.key, owner, edge,
                     ...fade(edge), thickness: this.thickness(edge) };
      const points = (this.isLarge || owner === 'champion' ? bends.get(edge.key) : null) ?? [];
      if (points.length > 0) Object.assign(data, segments(positions.get(edge.from)!, positions.get(edge.to)!, points));
      if (edge.glyph) return { group: 'edges', data: { ...data, ...marks(edge.glyph) }, classes: 'pag' };
      return { group: 'edges', data, classes: look(edge) };
    });
    this.cy.batch(() => {
      this.cy.elements().remove();
      this.cy.add([...nodes, ...lines]);
    });
  }

  // Changes `view`, `opponent`, `figure` or `limit` (how many edges).
  set(changes: Partial<SceneState>): void {
    Object.assign(this.state, changes);
    this.refresh();
  }

  setLayout(kind: Kind): void {
    this.layout = kind;
    this.refresh();
  }

  // Of a large graph: what the scene is about, and the ends of its edges.
  shownNames(): string[] {
    return [...new Set([...this.state.centre, ...this.scene.items.flatMap(({ edge }) => [edge.from, edge.to])])];
  }

  shownEdges(): Edge[] {
    return this.scene.items.map(({ edge }) => edge);
  }

  node(name: string): cytoscape.CollectionReturnValue {
    return this.cy.getElementById(`n${name}`);
  }

  // The node, its edges in this view, and their other ends. (Not `:visible`, which cytoscape updates a frame late.)
  neighbourhood(name: string): cytoscape.CollectionReturnValue {
    const edges = this.node(name).connectedEdges().not('.hidden');
    return edges.union(edges.connectedNodes()).union(this.node(name));
  }

  // A click: the outcome of a question if one waits for it, else a node to look at.
  pick(name: string): void {
    if (this.asking != null && name !== this.asking) this.ask(this.asking, name);
    else this.choose(name);
  }

  // Shows the effect of one node on another.
  ask(of: string, on: string): void {
    this.asking = this.chosenEdge = this.paths = null;
    this.chosen = of;
    if (this.isLarge) this.set({ centre: [of, on] });
    this.listeners.forEach((listener) => listener(of, null, on));
  }

  // Draws the paths of one possible effect, and marks what it is adjusted for.
  showPaths(of: string, on: string, possible: Pick<Possible, 'paths' | 'adjustment'>): void {
    this.paths = { nodes: new Set([of, on, ...possible.paths]), adjusted: possible.adjustment, of };
    this.focus();
  }

  // Of a large graph, the neighbourhood is all that is drawn then.
  choose(name: string | null): void {
    this.asking = this.paths = null;
    this.chosen = name;
    this.chosenEdge = null;
    if (this.isLarge) {
      this.set({ centre: name === null ? [] : [name] });
    } else {
      this.focus();
      if (name !== null) this.moveTo(this.neighbourhood(name));
    }
    this.listeners.forEach((listener) => listener(name));
  }

  // An edge that is not drawn is drawn with the neighbourhoods of its ends.
  chooseEdge(key: string): void {
    this.asking = this.paths = null;
    this.chosen = null;
    this.chosenEdge = key;
    if (this.isLarge && !this.scene.items.some(({ edge }) => edge.key === key)) this.set({ centre: JSON.parse(key) as string[] });
    this.focus();
    this.listeners.forEach((listener) => listener(null, key));
  }

  hover(name: string | null): void {
    this.hovered = name;
    this.label();
  }

  // Fades everything except the chosen node and its neighbours.
  focus(): void {
    this.cy.batch(() => {
      this.cy.elements().removeClass(['away', 'aside', 'chosen', 'near', 'adjusted']);
      if (this.paths) {
        const { nodes, adjusted, of } = this.paths;
        const onPath = (line: cytoscape.EdgeSingular) => {
          const { from, to, directed } = line.data('edge') as Edge;
          return nodes.has(from) && nodes.has(to) && !(directed && to === of);
        };
        this.cy.elements().addClass('away');
        this.cy.edges().filter(onPath).removeClass('away').addClass('near');
        for (const name of nodes) this.node(name).removeClass('away').addClass('chosen');
        for (const name of adjusted) this.node(name).removeClass('away').addClass('adjusted');
        return;
      }
      if (this.chosenEdge) {
        const edges = this.cy.edges().filter((edge) => edge.data('key') === this.chosenEdge);
        edges.addClass('chosen');
      }
      if (this.chosen == null) return;
      const near = this.neighbourhood(this.chosen);
      this.cy.elements().difference(near).addClass(this.isLarge ? 'aside' : 'away');
      near.edges().addClass('near');
      this.node(this.chosen).addClass('chosen');
    });
    this.label();
  }

  // The chosen node, the one under the mouse, the ends of a chosen edge, and all neighbours of these keep their names.
  label(): void {
    const always = new Set<string>();
    for (const name of [this.chosen, this.hovered]) {
      if (name != null) this.neighbourhood(name).nodes().forEach((node) => { always.add(node.id()); });
    }
    if (this.chosenEdge) for (const name of JSON.parse(this.chosenEdge) as string[]) always.add(`n${name}`);
    placeLabels(this.cy, always);
  }

  // Marks the nodes whose names contain the words; returns their names.
  search(words: string): string[] {
    this.words = words;
    const wanted = words.trim().toLowerCase();
    const found = wanted ? this.model.names.filter((name) => name.toLowerCase().includes(wanted)) : [];
    this.cy.batch(() => {
      this.cy.nodes().removeClass('match');
      for (const name of found) this.node(name).addClass('match');
    });
    return found;
  }

  fit(): void {
    this.cy.stop();
    this.cy.fit(undefined, 24);
    if (this.cy.zoom() > 1.3) {
      this.cy.zoom(1.3);
      this.cy.center();
    }
    this.label();
  }

  moveTo(elements: cytoscape.CollectionReturnValue): void {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const box = elements.renderedBoundingBox(), zoom = this.cy.zoom();
    const fits = Math.min(this.cy.width() / (box.w + 80), this.cy.height() / (box.h + 80)) * zoom;
    const target = Math.max(Math.min(zoom > 0.8 ? zoom : 1, fits), 0.05);
    const centre = elements.boundingBox();
    const pan = { x: this.cy.width() / 2 - (target * (centre.x1 + centre.x2)) / 2,
                  y: this.cy.height() / 2 - (target * (centre.y1 + centre.y2)) / 2 };
    this.cy.stop();
    if (still) this.cy.viewport({ zoom: target, pan });
    else this.cy.animate({ zoom: target, pan }, { duration: 250 });
  }

  panBy(x: number, y: number): void {
    this.cy.stop();
    this.cy.panBy({ x, y });
  }

  zoomBy(factor: number): void {
    this.cy.stop();
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 } });
  }

  onChoice(listener: Choice): void {
    this.listeners.push(listener);
  }
}
