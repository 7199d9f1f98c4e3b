// Which edges are drawn. A small graph is drawn whole. Of a large one, the page draws the strongest edges of the view,
// or the neighbourhood of some nodes: that opens at once, and its names can be read.
import { type Edge, type Fate, type Model, difference } from './model';

const manyNodes = 60, manyEdges = 150;
export const firstEdges = 80;
export const isLarge = (model: Model): boolean => model.names.length > manyNodes || model.champion.length > manyEdges;

// The figures edges can be ranked by.
export type Figure = 'strength' | 'probability' | 'confidence';
export const figures: Record<Figure, (edge: Edge) => number | undefined> = {
  strength: (edge) => edge.strength, probability: (edge) => edge.posterior?.edge, confidence: (edge) => edge.shares?.edge };
export const figuresOf = (edges: Edge[]): Figure[] => (Object.keys(figures) as Figure[]).filter((kind) => edges.some((edge) => figures[kind](edge) != null));

// The largest figure first; ties by strength, then by the order of the result.
export function ranked(edges: Edge[], figure: Figure): Edge[] {
  const of = figures[figure];
  return [...edges].sort((a, b) => (of(b) ?? 0) - (of(a) ?? 0) || (b.strength ?? 0) - (a.strength ?? 0));
}

export type View = 'champion' | 'trusted' | 'opponent' | 'difference';
export type Owner = 'champion' | 'trusted' | number;
export interface Item { edge: Edge; owner: Owner; fate?: Fate | undefined }
export interface SceneState { view: View; opponent: number; centre: string[]; figure: Figure; limit: number }
export interface Scene { items: Item[]; own: number; all: number }

// The edges of a view as {edge, owner, fate}, the most telling first: in the view of differences, what differs; then
// the strongest. `owner` is 'champion', 'trusted' or the number of the opponent. An opponent's edges have no figures of their own:
// those that the champion shares are in the champion's order, the others follow.
function candidates(model: Model, { view, opponent, figure }: SceneState): Item[] {
  const champion = ranked(model.champion, figure);
  const mine = champion.map((edge): Item => ({ edge, owner: 'champion' }));
  if (view === 'champion') return mine;
  if (view === 'trusted') return ranked(model.trusted ?? [], figure).map((edge) => ({ edge, owner: 'trusted' }));
  const place = new Map(champion.map((edge, k) => [edge.key, k]));
  const others = model.opponents[opponent]?.edges ?? [];
  const theirs = others.map((edge): Item => ({ edge, owner: opponent }))
    .sort((a, b) => (place.get(a.edge.key) ?? Infinity) - (place.get(b.edge.key) ?? Infinity) || 0);
  if (view === 'opponent') return theirs;
  const fate = difference(model.champion, others);
  const all = [...theirs.filter(({ edge }) => !place.has(edge.key)), ...mine]
    .map((item) => ({ ...item, fate: fate.get(item.edge.key) }));
  return [...all.filter((item) => item.fate !== 'same'), ...all.filter((item) => item.fate === 'same')];
}

// What is drawn: `items` as above; `own` and `all` count the edges it was chosen from. With a `centre` (names), these are
// the edges that touch it, then those among its neighbours; otherwise all of the view. `limit` is how many are drawn.
export function sceneOf(model: Model, state: SceneState): Scene {
  const all = candidates(model, state);
  if (state.centre.length === 0) return { items: all.slice(0, state.limit), own: all.length, all: all.length };
  const centre = new Set(state.centre);
  const touches = ({ edge }: Item) => centre.has(edge.from) || centre.has(edge.to);
  const own = all.filter(touches);
  const near = new Set(own.flatMap(({ edge }) => [edge.from, edge.to]));
  const among = all.filter((item) => !touches(item) && near.has(item.edge.from) && near.has(item.edge.to));
  const items = [...own, ...among].slice(0, Math.max(state.limit, firstEdges));
  return { items, own: own.length, all: all.length };
}
