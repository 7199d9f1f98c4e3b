// What happens if: the effects that agon estimated for the page, shown in words and as paths in the drawing. A node is
// chosen as the cause, then another as the outcome, in the drawing or in the list.
import { type Child, el } from './dom';
import type { Drawing } from './graph';

// As agon writes them (page_effects_json of agon/report/effect_texts.h).
interface Change { value: number; low: number; high: number; level?: string }
export interface Possible {
  paths: string[]; adjustment: string[]; none?: boolean; standardised?: number; share?: number; from?: string; to?: string; change: Change[];
}
interface EffectPair { of: string; on: string; possible: Possible[] }
export interface Effects { complete: boolean; of(cause: string): Map<string, EffectPair> }

const short = (x: number | null | undefined) => x == null ? '?' : Math.abs(x) < 1e-12 ? '0' : String(Number(x.toPrecision(4)));
const size = (possible: Possible) => Math.abs(possible.none ? 0 : possible.standardised ?? NaN);

export function readEffects(): Effects | null {
  const embedded = document.getElementById('effects');
  if (!embedded) return null;
  const { pairs, complete } = JSON.parse(embedded.textContent ?? '') as { pairs: EffectPair[]; complete: boolean };
  const byCause = new Map<string, Map<string, EffectPair>>();
  for (const pair of pairs) {
    if (!byCause.has(pair.of)) byCause.set(pair.of, new Map());
    byCause.get(pair.of)!.set(pair.on, pair);
  }
  return { complete, of: (cause: string) => byCause.get(cause) ?? new Map() };
}

// The smallest size that some graph of the class gives the effect: what it is ranked by.
const least = (pair: EffectPair) => Math.min(...pair.possible.map(size));

function lines(pair: EffectPair, possible: Possible): HTMLElement[] {
  if (possible.none) return [el('p', {}, `0: no path leads from ${pair.of} to ${pair.on}`)];
  const step = possible.from == null ? `per unit of ${pair.of}` : `${pair.of} from ${possible.from} to ${possible.to}`;
  const readings = possible.change.length === 2 ? possible.change.slice(1) : possible.change;
  return [
    ...readings.map((one) => el('p', {}, el('b', {}, short(one.value)),
      ` (${short(one.low)} to ${short(one.high)}) ${one.level == null ? pair.on : `P(${pair.on} = ${one.level})`}, ${step}`)),
    el('p', { class: 'faint' }, `standardised ${short(possible.standardised)}; adjusted for ` +
      (possible.adjustment.length === 0 ? 'nothing' : possible.adjustment.join(', '))),
  ];
}

// The answer, for the box beside the drawing.
export function effectParts(drawing: Drawing, effects: Effects, of: string, on: string): Child[] {
  const pair = effects.of(of).get(on);
  const title = el('h3', {}, `${of} → ${on}`);
  const back = el('button', { type: 'button', onclick: () => drawing.choose(of) }, `back to ${of}`);
  if (!pair) {
    return [title, el('p', {}, effects.complete ? `${of} has no effect on ${on} in any graph of the class, or it is not identified.`
                                                : 'Not in this page: agon effect estimates it.'), back];
  }
  const several = pair.possible.length > 1;
  return [
    title,
    el('p', {}, several ? `${pair.possible.length} effects are possible: arrows that decide it are open.` : 'Identified.'),
    ...pair.possible.map((possible) => el('section', { class: 'effect', tabindex: 0,
      onclick: () => drawing.showPaths(of, on, possible), onfocus: () => drawing.showPaths(of, on, possible) },
      several ? el('h4', {}, possible.share == null ? 'in some graphs' : `in ${(100 * possible.share).toFixed(1)} % of the graphs`) : null,
      ...lines(pair, possible))),
    el('p', { class: 'faint' }, 'If the graph is right, and nothing outside the table causes both.'),
    back,
  ];
}

// What the chosen node changes, the surest first, and the way to ask about any other.
export function effectList(drawing: Drawing, effects: Effects | null, name: string): HTMLElement | null {
  if (!effects) return null;
  const found = [...effects.of(name).values()].sort((a, b) => least(b) - least(a) || a.on.localeCompare(b.on));
  const ask = (on: string) => drawing.ask(name, on);
  const armed: HTMLElement = el('button', { type: 'button', class: 'arm', 'aria-pressed': 'false', onclick: () => {
    drawing.asking = drawing.asking === name ? null : name;
    armed.setAttribute('aria-pressed', String(drawing.asking === name));
    armed.textContent = drawing.asking === name ? 'now click the outcome' : 'effect on …';
  } }, 'effect on …');
  const shown = found.slice(0, 12).map((pair) => el('li', {},
    el('button', { type: 'button', class: 'outcome', onclick: () => ask(pair.on) }, pair.on),
    el('span', { class: 'faint', title: 'smallest standardised size over the graphs of the class' }, ` ${short(least(pair))}`)));
  return el('section', { class: 'effects' }, el('h4', {}, 'if it is set'),
    found.length === 0 ? el('p', { class: 'faint' }, effects.complete ? 'nothing changes' : '') : el('ul', {}, ...shown), armed);
}
