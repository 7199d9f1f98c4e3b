// What surrounds the drawing: views, search, slider, zoom, legend, and the neighbourhood of the chosen node.
import { type Child, count, counted, el, number } from './dom';
import { type Effects, effectList, effectParts } from './effects';
import type { Drawing } from './graph';
import type { Kind } from './layout';
import { type Edge, arrow, drawn, meaning, remark } from './model';
import { type Figure, type View, figures, figuresOf, firstEdges, ranked } from './scene';

// A part of the panel, and how it is drawn again.
interface Part { box: HTMLElement; draw(): void }

function describe(edge: Edge): string {
  const { strength, shares, posterior } = edge;
  const letter = posterior ? 'B' : 'P';  // as in the tables
  return [edge.glyph ? meaning(edge) : arrow(edge),
          strength == null ? '' : `strength ${number(strength)} nats`,
          posterior ? `P(edge) ${number(posterior.edge, 2)}, P(->) ${number(posterior.forward, 2)}, P(<-) ${number(posterior.backward, 2)}` : '',
          shares ? `${letter}(edge) ${number(shares.edge, 2)}` : '',
          shares && edge.directed && !edge.glyph ? `${letter}(->) ${number(shares.forward, 2)}, ${letter}(<-) ${number(shares.backward, 2)}` : '',
          remark(edge)].filter(Boolean).join(', ');
}

function legend(drawing: Drawing): Part {
  const sample = (kind: string, text: string) => el('li', {}, el('span', { class: `sample ${kind}`, 'aria-hidden': 'true' }), text);
  const list = el('ul', { class: 'legend', 'aria-label': 'legend' });
  const { result } = drawing.model;
  const draw = () => {
    const fading = drawing.model.trusted ? [sample('fade', 'fainter: the edge is less probable, by the posterior')]
      : result.bootstrap ? [sample('fade', 'fainter: fewer of the resamples have the edge')] : [];
    if (result.pag) {
      list.replaceChildren(...['-->', 'o->', '<->', 'o-o'].map((glyph) =>
        el('li', {}, el('b', {}, glyph), ` ${meaning({ from: 'a', to: 'b', glyph })}`)), ...fading);
      return;
    }
    const items = [sample('fixed', 'fixed: every graph of the class has this arrow'),
                   sample('open', 'open: the arrow may point either way')];
    if (drawing.view === 'difference') {
      items.push(sample('same', 'in both'), sample('added', 'champion only'), sample('dropped', 'opponent only'),
                 sample('turned', 'in both, another direction'));
    } else if (drawing.view === 'trusted') {
      items.push(sample('thick', 'each more probable than not; thicker: stronger in the champion'), ...fading);
    } else if (drawing.view === 'champion') {
      if (result.knowledge) items.push(sample('known', 'by knowledge: the class alone would leave it open'));
      if (result.class === 'interventional') {
        items.push(sample('set', 'by experiment: would be open had nothing been set'));
      }
      if (result.bootstrap) items.push(sample('unsure', 'unsure: fixed, but fewer than half of the resamples have this arrow'));
      items.push(sample('weak', `weak: little score lost without it${result.bootstrap ? ', or in fewer than half of the resamples' : ''}`),
                 sample('thick', 'thicker: stronger (nats of score lost without it, on a logarithmic scale)'), ...fading);
    }
    list.replaceChildren(...items);
  };
  draw();
  return { box: list, draw };
}

function viewChoice(drawing: Drawing, changed: () => void): HTMLElement | null {
  const { opponents, best, trusted } = drawing.model;
  if (opponents.length === 0 && !trusted) return null;
  const which = el('select', { 'aria-label': 'opponent', id: 'opponent' },
    ...opponents.map((opponent, k) => el('option', { value: k, selected: k === best }, opponent.name)));
  const set = (view: View) => {
    drawing.set({ view, opponent: Number(which.value) });
    which.disabled = view === 'champion' || view === 'trusted';
    changed();
  };
  which.disabled = true;
  which.addEventListener('change', () => set(drawing.view));
  const radio = (view: View, text: string) => el('label', {},
    el('input', { type: 'radio', name: 'view', value: view, checked: view === drawing.view, onchange: () => set(view) }), text);
  return el('fieldset', { class: 'views' }, el('legend', {}, 'Graph of'),
    radio('champion', opponents.length > 0 ? 'champion' : 'answer'), trusted ? radio('trusted', 'most trusted edges') : null,
    ...(opponents.length > 0 ? [radio('opponent', 'opponent'), radio('difference', 'difference')] : []),
    opponents.length > 1 ? which : null);
}

// Typing marks the variables whose names have these letters; a name that is typed whole, or the only one left, is
// chosen at once, and Enter goes from one to the next.
function searchBox(drawing: Drawing, offer: (names: string[]) => void): HTMLElement {
  const said = el('output', { for: 'search' });
  let found: string[] = [], next = 0;
  const go = (at: number) => {
    drawing.choose(found[at] ?? null);
    drawing.search(box.value);  // marks what is drawn now
    said.textContent = `${at + 1} of ${found.length}`;
  };
  const box: HTMLInputElement = el('input', { type: 'search', id: 'search', placeholder: 'name of a variable', autocomplete: 'off',
    oninput: () => {
      found = drawing.search(box.value);
      said.textContent = !box.value.trim() ? '' : found.length === 0 ? 'none' : `${found.length} found`;
      const whole = found.findIndex((name) => name.toLowerCase() === box.value.trim().toLowerCase());
      next = Math.max(0, whole);
      if (whole >= 0 || found.length === 1) go(next);
      else if (found.length > 0) offer(found);
      else if (!box.value.trim()) drawing.choose(null);
    },
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && found.length > 0) {
        event.preventDefault();
        go(next);
        next = (next + 1) % found.length;
      }
      if (event.key === 'Escape') {
        box.value = '';
        said.textContent = '';
        found = drawing.search('');
        drawing.choose(null);
      }
    } });
  return el('div', { class: 'control' }, el('label', { for: 'search' }, 'Search'), box, said);
}

// The slider counts edges, strongest first: every step removes one edge, however the figures are distributed. Moving it
// lays a large graph out again, so that waits until it is released.
function strengthSlider(drawing: Drawing, changed: () => void): Part | null {
  const { champion, trusted } = drawing.model;
  const edges = () => (drawing.view === 'trusted' ? trusted ?? [] : champion);
  const kinds = figuresOf(champion), [only] = kinds;
  if (only === undefined) return null;
  const words: Record<Figure, string> = { strength: 'strength, in nats', probability: 'P(edge), posterior',
                  confidence: drawing.model.trusted ? 'B(edge)' : 'P(edge)' };
  const said = el('output', { for: 'slider' });
  const kind = el('select', { id: 'figure', 'aria-label': 'figure of the slider' },
    ...kinds.map((name) => el('option', { value: name, selected: name === drawing.state.figure }, words[name])));
  const figure = () => kind.value as Figure;
  const slider = el('input', { type: 'range', id: 'slider', min: 1, step: 1 });
  const say = () => {
    const last = ranked(edges(), figure())[Number(slider.value) - 1];
    const least = (last && figures[figure()](last)) ?? 0;
    said.textContent = `${count(Number(slider.value))} of ${counted(edges().length, 'edge')}, at least ${number(least)}`;
    slider.setAttribute('aria-valuetext', said.textContent);
  };
  const set = () => {
    const limit = Number(slider.value);
    drawing.set({ figure: figure(), limit: limit === edges().length ? Infinity : limit });
    changed();
  };
  slider.addEventListener('input', () => {
    say();
    if (!drawing.isLarge) set();
  });
  slider.addEventListener('change', set);
  kind.addEventListener('change', set);
  const follow = () => {  // what buttons have set
    slider.max = String(edges().length);
    slider.value = String(Math.min(edges().length, drawing.state.limit));
    say();
  };
  follow();
  return { draw: follow, box: el('div', { class: 'control' }, el('label', { for: 'slider' }, 'Strongest by'),
    kinds.length > 1 ? kind : el('span', {}, words[only]), slider, said) };
}

function layoutChoice(drawing: Drawing, changed: () => void): HTMLElement {
  const kinds: Record<Kind, string> = { layers: 'causes above effects', force: 'neighbours close to each other',
                  clusters: 'groups with many edges inside' };
  const choice: HTMLSelectElement = el('select', { id: 'layout', onchange: () => {
    drawing.setLayout(choice.value as Kind);
    changed();
  } }, ...Object.entries(kinds).map(([kind, words]) => el('option', { value: kind, title: words }, kind)));
  return el('div', { class: 'control' }, el('label', { for: 'layout' }, 'Layout'), choice);
}

// What part of a large graph is drawn, and how to see another.
function extent(drawing: Drawing, changed: () => void): Part {
  const said = el('span', { role: 'status' });
  const button = (text: string, onclick: () => void) => el('button', { type: 'button', onclick: () => {
    onclick();
    changed();
  } }, text);
  const more = button('show more', () => drawing.set({ limit: 2 * Math.max(drawing.state.limit, firstEdges) }));
  const all = button('show all', () => drawing.set({ limit: Infinity }));
  const fewer = button(`show ${firstEdges}`, () => drawing.set({ limit: firstEdges }));
  const back = button('back to the graph', () => drawing.choose(null));
  const draw = () => {
    const { items, own, all: total } = drawing.scene, { centre, view } = drawing.state;
    const nodes = drawing.shownNames().length, { names } = drawing.model;
    const isRanked = (view === 'champion' || view === 'trusted') && figuresOf(drawing.model.champion).length > 0;
    const part = isRanked ? `${count(items.length)} strongest` : `first ${count(items.length)}`;
    if (centre.length > 0) {
      const among = items.length - Math.min(items.length, own);
      said.textContent = `${centre.join(' and ')}: ` +
        (items.length < own ? `the ${part} of ${counted(own, 'edge')}` : counted(own, 'edge')) +
        (among > 0 ? `, and ${count(among)} among the neighbours` : '') + `, of ${count(total)} in the graph.`;
    } else {
      said.textContent = (items.length < total ? `The ${part} of ${counted(total, 'edge')}`
                                               : `All ${counted(total, 'edge')}`) +
        `, between ${count(nodes)} of ${counted(names.length, 'variable')}.` +
        (nodes < names.length ? ' Search finds the others.' : '');
    }
    back.hidden = centre.length === 0;
    more.hidden = items.length >= own;
    all.hidden = centre.length > 0 || items.length >= total;
    fewer.hidden = centre.length > 0 || items.length <= firstEdges;
  };
  draw();
  return { draw, box: el('p', { class: 'extent' }, said, ' ', more, all, fewer, back) };
}

function zoomButtons(drawing: Drawing): HTMLElement {
  const button = (text: string, label: string, onclick: () => void) => el('button', { type: 'button', 'aria-label': label, title: label, onclick }, text);
  return el('div', { class: 'zoom' }, button('+', 'zoom in', () => drawing.zoomBy(1.3)),
    button('−', 'zoom out', () => drawing.zoomBy(1 / 1.3)), button('fit', 'show the whole graph', () => drawing.fit()));
}

interface Neighbourhood { box: HTMLElement; offer(names: string[]): void; again(): void }

function neighbourhood(drawing: Drawing, effects: Effects | null): Neighbourhood {
  const box = el('aside', { class: 'neighbourhood', 'aria-live': 'polite' });
  const { result } = drawing.model;
  const nameButton = (name: string) => el('button', { type: 'button', class: 'name', onclick: () => drawing.choose(name) }, name);
  const ask = () => box.replaceChildren(el('p', { class: 'faint' },
    'Choose a node (click, or search and Enter) to see its neighbourhood.'));
  const show = (name: string | null, key?: string | null, outcome?: string): void => {
    if (name != null && outcome != null && effects) {
      box.replaceChildren(...effectParts(drawing, effects, name, outcome).filter((part) => part != null));
      const first = effects.of(name).get(outcome)?.possible[0];
      drawing.showPaths(name, outcome, first ?? { paths: [], adjustment: [] });
      return;
    }
    if (name == null && key) {
      const edge = drawing.shownEdges().find((other) => other.key === key);
      if (!edge) return ask();
      box.replaceChildren(el('h3', {}, `${edge.from} ${drawn(edge)} ${edge.to}`),
        el('p', {}, describe(edge)));
      return;
    }
    if (name == null) return ask();
    const levels = result.data.levels?.[name];
    const near = drawing.shownEdges().filter((edge) => edge.from === name || edge.to === name);
    const part = (title: string, edges: Edge[]) => edges.length === 0 ? null : el('section', {}, el('h4', {}, title), el('ul', {},
      ...edges.sort((a, b) => (b.strength ?? 0) - (a.strength ?? 0)).map((edge) => {
        const other = edge.from === name ? edge.to : edge.from;
        return el('li', {}, nameButton(other),
          edge.strength == null ? '' : el('span', { class: 'faint', title: 'strength, in nats' }, ` ${number(edge.strength)}`));
      })));
    box.replaceChildren(...[
      el('h3', {}, name),
      el('p', { class: 'faint' }, result.data.kinds[name] + (levels ? `, ${levels} ${levels === 1 ? 'level' : 'levels'}` : '')),
      part('causes', near.filter((edge) => edge.directed && edge.to === name)),
      part('effects', near.filter((edge) => edge.directed && edge.from === name)),
      part(result.pag ? 'other edges' : 'either way', near.filter((edge) => !edge.directed)),
      near.length === 0 ? el('p', {}, 'No edges.') : null,
      effectList(drawing, effects, name),
      el('button', { type: 'button', onclick: () => drawing.choose(null) }, drawing.isLarge ? 'back to the graph' : 'show all'),
    ].filter((part) => part !== null));
  };
  const listed = 40;
  const offer = (names: string[]) => box.replaceChildren(el('h3', {}, counted(names.length, 'variable')), el('ul', {},
    ...names.slice(0, listed).map((name) => el('li', {}, nameButton(name)))),
    names.length > listed ? el('p', { class: 'faint' }, `and ${count(names.length - listed)} more`) : '');
  ask();
  drawing.onChoice(show);
  return { box, offer, again: () => show(drawing.chosen, drawing.chosenEdge) };
}

function tooltip(drawing: Drawing, container: HTMLElement): void {
  const box = el('div', { class: 'tooltip', role: 'tooltip', hidden: true });
  container.append(box);
  // A change of the view hides the box while the mouse may stay where it is: the next move over the element shows it again.
  drawing.cy.on('mouseover mousemove', 'node, edge', (event) => {
    if (event.type === 'mousemove' && !box.hidden) return;
    const element = event.target;
    const edge = element.isEdge() ? element.data('edge') as Edge : null;
    box.replaceChildren(el('b', {}, edge ? `${edge.from} ${drawn(edge)} ${edge.to}` : element.data('name') as string),
      edge ? el('div', {}, describe(edge)) : el('div', {}, drawing.model.result.data.kinds[element.data('name') as string] ?? ''));
    const at = event.renderedPosition;
    box.hidden = false;
    box.style.left = `${Math.min(at.x + 12, container.clientWidth - box.offsetWidth - 4)}px`;
    box.style.top = `${Math.min(at.y + 12, container.clientHeight - box.offsetHeight - 4)}px`;
    container.style.cursor = 'pointer';
  });
  drawing.cy.on('mouseout viewport', () => {
    box.hidden = true;
    container.style.cursor = '';
  });
}

// Arrow keys move, + and - zoom, 0 shows all, Escape deselects the chosen node.
function keys(drawing: Drawing, container: HTMLElement): void {
  const steps: Record<string, [number, number]> = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  drawing.cy.on('tap', () => container.focus({ preventScroll: true }));  // cytoscape drops the focus at every press
  container.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (step) drawing.panBy(...step);
    else if (event.key === '+' || event.key === '=') drawing.zoomBy(1.3);
    else if (event.key === '-') drawing.zoomBy(1 / 1.3);
    else if (event.key === '0') drawing.fit();
    else if (event.key === 'Escape') drawing.choose(null);
    else return;
    event.preventDefault();
  });
}

export function addPanel(drawing: Drawing, container: HTMLElement, effects: Effects | null): void {
  const key = legend(drawing), near = neighbourhood(drawing, effects);
  const changed = () => {
    key.draw();
    near.again();
    part?.draw();
    slider?.draw();
  };
  const slider = strengthSlider(drawing, changed);
  const part = drawing.isLarge ? extent(drawing, changed) : null;
  if (part) drawing.onChoice(part.draw);
  const controls: Child[] = [viewChoice(drawing, changed), searchBox(drawing, near.offer), slider?.box, layoutChoice(drawing, changed),
                    part?.box, zoomButtons(drawing)];
  const stage = container.parentElement!;
  stage.before(el('div', { class: 'controls' }, ...controls));
  stage.after(near.box);
  container.closest('.frame')?.after(key.box);
  tooltip(drawing, stage);
  keys(drawing, container);
}
