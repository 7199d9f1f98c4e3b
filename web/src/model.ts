// The result as the report draws it: nodes, the champion's edges, those of each opponent, and how the two differ; with
// a posterior, the edges it trusts most (`trusted`, otherwise null).
//
// An edge is {from, to, directed}: directed when every graph of the class has this arrow (fixed); otherwise it is
// open, and `from` and `to` are those of one member. `key` identifies the pair whichever way the edge points. An
// edge of a PAG also has a `glyph`, such as o->: the marks at `from` and at `to`. The champion's edges have `strength`,
// `shares`, `posterior`, `by_knowledge`, `by_experiment` as in result.json, and `weak` and `unsure` as agon judged them: its table of
// edges says so.

export type Pair = [from: string, to: string];
export interface Share { edge: number; forward: number; backward: number }
interface PairShare extends Share { a: string; b: string }
interface Pdag { directed: Pair[]; undirected?: Pair[] }
interface Opponent { name: string; score: number; edges: Pair[]; cpdag?: Pdag; mpdag?: Pdag }

// What the page reads of result.json (docs/result.schema.json).
export interface Result {
  data: { kinds: Record<string, string>; levels?: Record<string, number> };
  score: { name: string; opponent: number; champion: number };
  dag: { edges: Pair[] };
  cpdag: Pdag;
  mpdag?: Pdag;
  pag?: { edges: [a: string, glyph: string, b: string][] };
  class?: string;
  knowledge?: unknown;
  edges: Details[];
  opponent?: Opponent;
  opponents?: Opponent[];
  bootstrap?: { pairs: PairShare[] };
  posterior?: { pairs: PairShare[]; consensus?: { edges: Pair[]; cpdag: Pdag; mpdag?: Pdag } };
  history?: { moves: number; score: number }[];
  trace?: { moves: number[]; score: number[]; arm: number[] };
  run: { moves: number; arms?: { name: string }[] };
}
interface Details {
  from: string; to: string; strength?: number; shares?: Share; posterior?: Share; by_knowledge?: boolean; by_experiment?: boolean;
}
export interface Edge extends Details {
  key: string; directed: boolean; glyph?: string; weak?: boolean; unsure?: boolean;
}
export interface OpponentGraph { name: string; score: number; edges: Edge[] }
export interface Model {
  result: Result; names: string[]; champion: Edge[]; trusted: Edge[] | null; opponents: OpponentGraph[]; best: number;
}

export const key = (a: string, b: string): string => JSON.stringify(a < b ? [a, b] : [b, a]);

function classEdges(dagEdges: Pair[], pdag: Pdag): Edge[] {
  const directed = new Set(pdag.directed.map(([a, b]) => JSON.stringify([a, b])));
  return dagEdges.map(([from, to]) => ({ from, to, key: key(from, to), directed: directed.has(JSON.stringify([from, to])) }));
}

function pagEdges(result: Result): Edge[] {
  const shares = new Map((result.bootstrap?.pairs ?? []).map((pair) => [key(pair.a, pair.b), pair]));
  return (result.pag?.edges ?? []).map(([from, glyph, to]) => {
    const share = shares.get(key(from, to));
    return { from, to, key: key(from, to), directed: glyph === '-->', glyph, ...(share ? { shares: share } : {}) };
  });
}

// How an edge is written between its two names.
export const drawn = (edge: Edge): string => edge.glyph ?? (edge.directed ? '→' : '—');

// What an edge of a PAG says; `from` is its less pointed end.
export function meaning({ from, to, glyph = '' }: Pick<Edge, 'from' | 'to' | 'glyph'>): string {
  const words: Record<string, string> = { '-->': `${from} causes ${to}`, '<->': 'a hidden common cause; neither causes the other',
           'o->': `${to} does not cause ${from}; the rest is open`, 'o-o': 'adjacent; nothing else is known',
           '---': 'both cause what the rows were selected by' };
  return words[glyph] ?? 'a cause, or a selection of the rows';
}

// 'fixed', 'open', 'by experiment' or 'by knowledge', and what speaks against it.
export const arrow = (edge: Edge): string => (edge.by_knowledge ? 'by knowledge' : edge.by_experiment ? 'by experiment' : edge.directed ? 'fixed' : 'open');
export const remark = (edge: Edge): string => [edge.weak ? 'weak' : '', edge.unsure ? 'arrow unsure' : ''].filter(Boolean).join(', ');

// The most trusted edges: with their probabilities, and with the strength that an edge has in the champion.
function trustedEdges(posterior: Result['posterior'], champion: Edge[]): Edge[] | null {
  if (!posterior?.consensus) return null;
  const { edges, mpdag, cpdag } = posterior.consensus;
  const probabilities = new Map(posterior.pairs.map((pair) => [key(pair.a, pair.b), pair]));
  const byKey = new Map(champion.map((edge) => [edge.key, edge]));
  return classEdges(edges, mpdag ?? cpdag).map((edge) => {
    const { a, edge: adjacent, forward, backward } = probabilities.get(edge.key)!;  // of every pair of the consensus
    const isForward = a === edge.from, strength = byKey.get(edge.key)?.strength;
    return { ...edge, ...(strength === undefined ? {} : { strength }),
             posterior: { edge: adjacent, forward: isForward ? forward : backward, backward: isForward ? backward : forward } };
  });
}

// `rows` are those of the table of edges.
export function readModel(result: Result, rows: HTMLTableRowElement[]): Model {
  const names = Object.keys(result.data.kinds);
  if (result.pag) return { result, names, champion: pagEdges(result), trusted: null, opponents: [], best: 0 };
  const pdag = result.mpdag ?? result.cpdag;
  const champion = classEdges(result.dag.edges, pdag);
  const details = new Map(result.edges.map((edge) => [key(edge.from, edge.to), edge]));
  for (const edge of champion) Object.assign(edge, details.get(edge.key));
  const byKey = new Map(champion.map((edge) => [edge.key, edge]));
  for (const row of rows) {
    const edge = byKey.get(key(row.dataset.from ?? '', row.dataset.to ?? ''));
    if (!edge) continue;
    edge.weak = row.classList.contains('weak');
    edge.unsure = row.classList.contains('unsure');
  }

  const opponents = (result.opponents ?? (result.opponent ? [result.opponent] : [])).map((opponent) => ({
    name: opponent.name,
    score: opponent.score,
    edges: classEdges(opponent.edges, opponent.mpdag ?? opponent.cpdag ?? { directed: opponent.edges }),
  }));
  const best = Math.max(0, opponents.findIndex((opponent) => opponent.name === result.opponent?.name));
  return { result, names, champion, trusted: trustedEdges(result.posterior, champion), opponents, best };
}

export type Fate = 'same' | 'added' | 'dropped' | 'turned';

// What became of the opponent's edges, by key: 'same', 'added' (only the champion has it), 'dropped' (only the opponent
// has it) or 'turned' (both have the edge, and disagree about its direction).
export function difference(champion: Edge[], opponent: Edge[]): Map<string, Fate> {
  const mine = new Map(champion.map((edge) => [edge.key, edge]));
  const theirs = new Map(opponent.map((edge) => [edge.key, edge]));
  const fate = new Map<string, Fate>();
  for (const [name, edge] of mine) {
    const other = theirs.get(name);
    const isSame = other && edge.directed === other.directed && (!edge.directed || edge.from === other.from);
    fate.set(name, !other ? 'added' : isSame ? 'same' : 'turned');
  }
  for (const name of theirs.keys()) if (!mine.has(name)) fate.set(name, 'dropped');
  return fate;
}
