// The drawing of the champion, of an opponent, or of their difference. All views share one set of positions, so that
// nothing jumps when the view changes.
import cytoscape from 'cytoscape';
import { colours, onTheme } from './dom.js';
import { layOut, nodeHeight, nodeWidth, segments } from './layout.js';
import { difference } from './model.js';

function styleSheet() {
  const c = colours();
  const fate = (name, colour) => ({ selector: `edge.${name}`, style: { 'line-color': colour, 'target-arrow-color': colour } });
  return [
    { selector: 'node', style: {
      shape: 'round-rectangle', width: 'data(width)', height: nodeHeight, 'background-color': c.node,
      'border-width': 1, 'border-color': c.line, label: 'data(name)', color: c.ink, 'font-size': 13,
      'font-family': 'system-ui, sans-serif', 'text-valign': 'center', 'text-max-width': 204, 'text-wrap': 'ellipsis',
      'min-zoomed-font-size': 4 } },
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
    { selector: 'edge.unsure', style: {
      'line-color': c.doubt, 'target-arrow-color': c.doubt, 'target-arrow-fill': 'hollow' } },
    { selector: 'edge[fade]', style: { opacity: 'data(fade)' } },
    { selector: 'edge.pag', style: {
      'source-arrow-color': c.line, 'source-arrow-shape': 'data(sourceMark)', 'source-arrow-fill': 'data(sourceFill)',
      'target-arrow-shape': 'data(targetMark)', 'target-arrow-fill': 'data(targetFill)' } },
    fate('added', c.good), fate('dropped', c.bad), fate('turned', c.doubt),
    { selector: 'edge.added, edge.dropped, edge.turned', style: { width: (edge) => edge.data('thickness') + 2, 'z-index': 5 } },
    { selector: 'edge.same', style: { opacity: 0.3 } },
    { selector: '.hidden', style: { display: 'none' } },
    { selector: '.away', style: { opacity: 0.12 } },
    { selector: 'node.match', style: { 'border-color': c.accent, 'border-width': 3 } },
    { selector: 'node.chosen', style: { 'background-color': c.accent, color: c.paper, 'border-color': c.accent } },
    { selector: 'edge.chosen', style: { opacity: 1,
      'line-color': c.accent, 'target-arrow-color': c.accent, 'source-arrow-color': c.accent, 'z-index': 9 } },
    { selector: 'edge.near', style: { 'z-index': 8 } },
    { selector: ':active', style: { 'overlay-opacity': 0 } },
  ];
}

// The ends of an edge of a PAG: arrows, hollow circles, or nothing.
function marks(glyph) {
  const shape = { '-': 'none', o: 'circle', '<': 'triangle', '>': 'triangle' };
  const fill = (mark) => (mark === 'o' ? 'hollow' : 'filled');
  const [source, target] = [glyph.at(0), glyph.at(-1)];
  return { sourceMark: shape[source], sourceFill: fill(source), targetMark: shape[target], targetFill: fill(target) };
}

// The thickness of an edge shows how much score it is worth, on a logarithmic scale.
function thickness(edges, factor) {
  const logs = edges.map((edge) => Math.log1p(Math.max(0, edge.strength ?? 0)));
  const most = Math.max(1e-9, ...logs);
  return (edge) => factor * 1.1 + factor * 2.6 * (Math.log1p(Math.max(0, edge.strength ?? 0)) / most);
}

// An edge fades with the share of resamples that have it; one that none of them has can still be seen.
const fade = (edge) => (edge.shares ? { fade: 0.25 + 0.75 * edge.shares.edge } : {});

function look(edge) {
  return [edge.directed ? 'fixed' : 'open', edge.by_knowledge && 'known', edge.unsure && 'unsure', edge.weak && 'weak']
    .filter(Boolean);
}

export class Drawing {
  constructor(container, model) {
    this.model = model;
    this.listeners = [];
    this.layout = layOut(model.names, model.champion);
    this.thickness = thickness(model.champion, model.names.length > 80 ? 1.8 : 1);
    const nodes = model.names.map((name) => ({
      group: 'nodes', data: { id: `n${name}`, name, width: nodeWidth(name) }, position: this.layout.positions.get(name) }));
    const elements = [...nodes, ...this.edgeElements(model.champion, 'champion')];

    this.cy = cytoscape({
      container, elements, style: styleSheet(), layout: { name: 'preset' }, autoungrabify: true,
      boxSelectionEnabled: false, selectionType: 'single', minZoom: 0.02, maxZoom: 4 });
    this.view = 'champion';
    this.opponent = model.best;
    this.threshold = null;
    this.refresh();
    this.fit();

    this.cy.on('tap', (event) => {
      if (event.target === this.cy) this.choose(null);
      else if (event.target.isNode()) this.choose(event.target.data('name'));
      else this.chooseEdge(event.target.data('key'));
    });
    onTheme(() => this.cy.style(styleSheet()));
  }

  // Edges of the champion, or of the opponent of that number. The layout is made for the champion's edges, so only
  // those have bends.
  edgeElements(edges, owner) {
    const { positions, bends } = this.layout;
    return edges.map((edge, k) => {
      const data = { id: `${owner}.${k}`, source: `n${edge.from}`, target: `n${edge.to}`, key: edge.key, owner, edge,
                     ...fade(edge), thickness: this.thickness(edge) };
      const points = owner === 'champion' ? bends.get(edge.key) : [];
      if (points.length > 0) Object.assign(data, segments(positions.get(edge.from), positions.get(edge.to), points));
      if (edge.glyph) return { group: 'edges', data: { ...data, ...marks(edge.glyph) }, classes: 'pag' };
      return { group: 'edges', data, classes: look(edge) };
    });
  }

  // Hides the edges that this view does not have; the view of differences also marks what became of each edge.
  refresh() {
    const { model, view, opponent } = this;
    const fate = view === 'difference' ? difference(model.champion, model.opponents[opponent].edges) : null;
    this.cy.batch(() => {
      this.cy.edges().forEach((element) => {
        const { owner, edge, key } = element.data();
        const mine = owner === 'champion';
        let shown = view === 'opponent' ? owner === opponent : mine;
        if (view === 'difference' && owner === opponent) shown = fate.get(key) === 'dropped';
        if (shown && mine && this.threshold) shown = (this.threshold.of(edge) ?? 0) >= this.threshold.least;
        element.toggleClass('hidden', !shown);
        element.removeClass(['same', 'added', 'dropped', 'turned']);
        if (fate && shown) element.addClass(fate.get(key));
      });
    });
    this.focus();
  }

  setView(view, opponent = this.opponent) {
    this.view = view;
    this.opponent = opponent;
    if (view !== 'champion' && this.cy.edges(`[owner = ${opponent}]`).empty()) {
      this.cy.add(this.edgeElements(this.model.opponents[opponent].edges, opponent));
    }
    this.refresh();
  }

  // `of` returns the figure of an edge; `least` is the smallest figure that is still drawn.
  setThreshold(threshold) {
    this.threshold = threshold;
    this.refresh();
  }

  shownEdges() {
    return this.cy.edges().not('.hidden').map((element) => element.data('edge'));
  }

  node(name) {
    return this.cy.getElementById(`n${name}`);
  }

  // The node, its edges in this view, and their other ends. (Not `:visible`, which cytoscape updates a frame late.)
  neighbourhood(name) {
    const edges = this.node(name).connectedEdges().not('.hidden');
    return edges.union(edges.connectedNodes()).union(this.node(name));
  }

  choose(name) {
    this.chosen = name;
    this.chosenEdge = null;
    this.focus();
    if (name !== null) this.moveTo(this.neighbourhood(name));
    this.listeners.forEach((listener) => listener(name));
  }

  chooseEdge(key) {
    this.chosen = null;
    this.chosenEdge = key;
    this.focus();
    this.listeners.forEach((listener) => listener(null, key));
  }

  // Fades everything except the chosen node and its neighbours.
  focus() {
    this.cy.batch(() => {
      this.cy.elements().removeClass(['away', 'chosen', 'near']);
      if (this.chosenEdge) {
        const edges = this.cy.edges().filter((edge) => edge.data('key') === this.chosenEdge);
        edges.addClass('chosen');
      }
      if (this.chosen == null) return;
      const near = this.neighbourhood(this.chosen);
      this.cy.elements().difference(near).addClass('away');
      near.edges().addClass('near');
      this.node(this.chosen).addClass('chosen');
    });
  }

  // Marks the nodes whose names contain the words; returns their names.
  search(words) {
    const wanted = words.trim().toLowerCase();
    const found = wanted ? this.model.names.filter((name) => name.toLowerCase().includes(wanted)) : [];
    this.cy.batch(() => {
      this.cy.nodes().removeClass('match');
      for (const name of found) this.node(name).addClass('match');
    });
    return found;
  }

  fit() {
    this.cy.stop();
    this.cy.fit(undefined, 24);
    if (this.cy.zoom() > 1.3) {
      this.cy.zoom(1.3);
      this.cy.center();
    }
  }

  moveTo(elements) {
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

  panBy(x, y) {
    this.cy.stop();
    this.cy.panBy({ x, y });
  }

  zoomBy(factor) {
    this.cy.stop();
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 } });
  }

  onChoice(listener) {
    this.listeners.push(listener);
  }
}
