// What surrounds the drawing: views, search, slider, zoom, legend, and the neighbourhood of the chosen node.
import { el, number } from './dom.js';
import { arrow, drawn, meaning, remark } from './model.js';

function describe(edge) {
  const { strength, shares } = edge;
  return [edge.glyph ? meaning(edge) : arrow(edge),
          strength == null ? '' : `strength ${number(strength)} nats`,
          shares ? `P(edge) ${number(shares.edge, 2)}` : '',
          shares && edge.directed && !edge.glyph ? `P(->) ${number(shares.forward, 2)}, P(<-) ${number(shares.backward, 2)}` : '',
          remark(edge)].filter(Boolean).join(', ');
}

function legend(drawing) {
  const sample = (kind, text) => el('li', {}, el('span', { class: `sample ${kind}`, 'aria-hidden': 'true' }), text);
  const list = el('ul', { class: 'legend', 'aria-label': 'legend' });
  const { result } = drawing.model;
  const draw = () => {
    const fading = result.bootstrap ? [sample('fade', 'fainter: fewer of the resamples have the edge')] : [];
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
    } else if (drawing.view === 'champion') {
      if (result.knowledge) items.push(sample('known', 'by knowledge: the class alone would leave it open'));
      if (result.bootstrap) items.push(sample('unsure', 'unsure: fixed, but fewer than half of the resamples have this arrow'));
      items.push(sample('weak', `weak: little score lost without it${result.bootstrap ? ', or in fewer than half of the resamples' : ''}`),
                 sample('thick', 'thicker: stronger (nats of score lost without it, on a logarithmic scale)'), ...fading);
    }
    list.replaceChildren(...items);
  };
  draw();
  return { list, draw };
}

function viewChoice(drawing, changed) {
  const { opponents, best } = drawing.model;
  if (opponents.length === 0) return null;
  const which = el('select', { 'aria-label': 'opponent', id: 'opponent' },
    ...opponents.map((opponent, k) => el('option', { value: k, selected: k === best }, opponent.name)));
  const set = (view) => {
    drawing.setView(view, Number(which.value));
    which.disabled = view === 'champion';
    changed();
  };
  which.disabled = true;
  which.addEventListener('change', () => set(drawing.view));
  const radio = (view, text) => el('label', {},
    el('input', { type: 'radio', name: 'view', value: view, checked: view === 'champion', onchange: () => set(view) }), text);
  return el('fieldset', { class: 'views' }, el('legend', {}, 'Graph of'), radio('champion', 'champion'),
    radio('opponent', 'opponent'), radio('difference', 'difference'), opponents.length > 1 ? which : null);
}

function searchBox(drawing) {
  const said = el('output', { for: 'search' });
  let found = [], next = 0;
  const box = el('input', { type: 'search', id: 'search', placeholder: 'name of a variable', autocomplete: 'off',
    oninput: () => {
      found = drawing.search(box.value);
      next = 0;
      said.textContent = !box.value.trim() ? '' : found.length === 0 ? 'none' : `${found.length} found`;
    },
    onkeydown: (event) => {
      if (event.key === 'Enter' && found.length > 0) {
        event.preventDefault();
        drawing.choose(found[next % found.length]);
        next += 1;
        said.textContent = `${((next - 1) % found.length) + 1} of ${found.length}`;
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

// The slider counts edges, strongest first: every step removes one edge, however the figures are distributed.
function strengthSlider(drawing, changed) {
  const edges = drawing.model.champion;
  const figures = { strength: (edge) => edge.strength, confidence: (edge) => edge.shares?.edge };
  const kinds = Object.keys(figures).filter((kind) => edges.some((edge) => figures[kind](edge) != null));
  if (kinds.length === 0) return null;
  const words = { strength: 'strength, in nats', confidence: 'P(edge)' };
  const said = el('output', { for: 'slider' });
  const kind = el('select', { id: 'figure', 'aria-label': 'figure of the slider' },
    ...kinds.map((name) => el('option', { value: name }, words[name])));
  const slider = el('input', { type: 'range', id: 'slider', min: 1, max: edges.length, value: edges.length, step: 1 });
  const set = () => {
    const of = figures[kind.value];
    const sorted = edges.map((edge) => of(edge) ?? 0).sort((a, b) => b - a);
    const least = sorted[Number(slider.value) - 1];
    drawing.setThreshold(Number(slider.value) === edges.length ? null : { of, least });
    const kept = sorted.filter((figure) => figure >= least).length;
    said.textContent = `${kept} of ${edges.length} edges, at least ${number(least)}`;
    slider.setAttribute('aria-valuetext', said.textContent);
    changed();
  };
  slider.addEventListener('input', set);
  kind.addEventListener('change', set);
  set();
  return el('div', { class: 'control' }, el('label', { for: 'slider' }, 'Strongest by'),
    kinds.length > 1 ? kind : el('span', {}, words[kinds[0]]), slider, said);
}

function zoomButtons(drawing) {
  const button = (text, label, onclick) => el('button', { type: 'button', 'aria-label': label, title: label, onclick }, text);
  return el('div', { class: 'zoom' }, button('+', 'zoom in', () => drawing.zoomBy(1.3)),
    button('−', 'zoom out', () => drawing.zoomBy(1 / 1.3)), button('fit', 'show the whole graph', () => drawing.fit()));
}

function neighbourhood(drawing) {
  const box = el('aside', { class: 'neighbourhood', 'aria-live': 'polite' });
  const { result } = drawing.model;
  const ask = () => box.replaceChildren(el('p', { class: 'faint' },
    'Choose a node (click, or search and Enter) to see its neighbourhood.'));
  const show = (name, key) => {
    if (name == null && key) {
      const edge = drawing.cy.edges().not('.hidden').map((element) => element.data('edge')).find((other) => other.key === key);
      if (!edge) return ask();
      box.replaceChildren(el('h3', {}, `${edge.from} ${drawn(edge)} ${edge.to}`),
        el('p', {}, describe(edge)));
      return undefined;
    }
    if (name == null) return ask();
    const levels = result.data.levels?.[name];
    const near = drawing.shownEdges().filter((edge) => edge.from === name || edge.to === name);
    const part = (title, edges) => edges.length === 0 ? null : el('section', {}, el('h4', {}, title), el('ul', {},
      ...edges.sort((a, b) => (b.strength ?? 0) - (a.strength ?? 0)).map((edge) => {
        const other = edge.from === name ? edge.to : edge.from;
        return el('li', {}, el('button', { type: 'button', class: 'name', onclick: () => drawing.choose(other) }, other),
          edge.strength == null ? '' : el('span', { class: 'faint', title: 'strength, in nats' }, ` ${number(edge.strength)}`));
      })));
    box.replaceChildren(...[
      el('h3', {}, name),
      el('p', { class: 'faint' }, result.data.kinds[name] + (levels ? `, ${levels} ${levels === 1 ? 'level' : 'levels'}` : '')),
      part('causes', near.filter((edge) => edge.directed && edge.to === name)),
      part('effects', near.filter((edge) => edge.directed && edge.from === name)),
      part(result.pag ? 'other edges' : 'either way', near.filter((edge) => !edge.directed)),
      near.length === 0 ? el('p', {}, 'No edges.') : null,
      el('button', { type: 'button', onclick: () => drawing.choose(null) }, 'show all'),
    ].filter((part) => part !== null));
    return undefined;
  };
  ask();
  drawing.onChoice(show);
  return { box, again: () => show(drawing.chosen, drawing.chosenEdge) };
}

function tooltip(drawing, container) {
  const box = el('div', { class: 'tooltip', role: 'tooltip', hidden: true });
  container.append(box);
  drawing.cy.on('mouseover', 'node, edge', (event) => {
    const element = event.target;
    const edge = element.isEdge() ? element.data('edge') : null;
    box.replaceChildren(el('b', {}, edge ? `${edge.from} ${drawn(edge)} ${edge.to}` : element.data('name')),
      edge ? el('div', {}, describe(edge)) : el('div', {}, drawing.model.result.data.kinds[element.data('name')]));
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
function keys(drawing, container) {
  const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  drawing.cy.on('tap', () => container.focus({ preventScroll: true }));  // cytoscape drops the focus at every press
  container.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step[event.key]) drawing.panBy(...step[event.key]);
    else if (event.key === '+' || event.key === '=') drawing.zoomBy(1.3);
    else if (event.key === '-') drawing.zoomBy(1 / 1.3);
    else if (event.key === '0') drawing.fit();
    else if (event.key === 'Escape') drawing.choose(null);
    else return;
    event.preventDefault();
  });
}

export function addPanel(drawing, container) {
  const key = legend(drawing), near = neighbourhood(drawing);
  const changed = () => {
    key.draw();
    near.again();
  };
  const controls = [viewChoice(drawing, changed), searchBox(drawing), strengthSlider(drawing, changed), zoomButtons(drawing)];
  container.parentElement.before(el('div', { class: 'controls' }, ...controls.filter((control) => control !== null)));
  container.parentElement.after(near.box);
  container.closest('.frame').after(key.list);
  tooltip(drawing, container.parentElement);
  keys(drawing, container);
}
