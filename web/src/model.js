// The result as the report draws it: nodes, the champion's edges, those of each opponent, and how the two differ; with
// a posterior, the edges it trusts most (`trusted`, otherwise null).
//
// An edge is {from, to, directed}: directed when every graph of the class has this arrow (fixed); otherwise it is
// open, and `from` and `to` are those of one member. `key` identifies the pair whichever way the edge points. An
// edge of a PAG also has a `glyph`, such as o->: the marks at `from` and at `to`. The champion's edges have `strength`,
// `shares`, `posterior`, `by_knowledge`, `by_experiment` as in result.json, and `weak` and `unsure` as agon judged them: its table of
// edges says so.

export const key = (a, b) => JSON.stringify(a < b ? [a, b] : [b, a]);

function classEdges(dagEdges, pdag) {
  const directed = new Set(pdag.directed.map(([a, b]) => JSON.stringify([a, b])));
  return dagEdges.map(([from, to]) => ({ from, to, key: key(from, to), directed: directed.has(JSON.stringify([from, to])) }));
}

function pagEdges(result) {
  const shares = new Map((result.bootstrap?.pairs ?? []).map((pair) => [key(pair.a, pair.b), pair]));
  return result.pag.edges.map(([from, glyph, to]) =>
    ({ from, to, key: key(from, to), directed: glyph === '-->', glyph, shares: shares.get(key(from, to)) }));
}

// How an edge is written between its two names.
export const drawn = (edge) => edge.glyph ?? (edge.directed ? '→' : '—');

// What an edge of a PAG says; `from` is its less pointed end.
export function meaning(edge) {
  const { from, to, glyph } = edge;
  return { '-->': `${from} causes ${to}`, '<->': 'a hidden common cause; neither causes the other',
           'o->': `${to} does not cause ${from}; the rest is open`, 'o-o': 'adjacent; nothing else is known',
           '---': 'both cause what the rows were selected by' }[glyph] ?? 'a cause, or a selection of the rows';
}

// 'fixed', 'open', 'by experiment' or 'by knowledge', and what speaks against it.
export const arrow = (edge) => (edge.by_knowledge ? 'by knowledge' : edge.by_experiment ? 'by experiment' : edge.directed ? 'fixed' : 'open');
export const remark = (edge) => [edge.weak ? 'weak' : '', edge.unsure ? 'arrow unsure' : ''].filter(Boolean).join(', ');

// The most trusted edges: with their probabilities, and with the strength that an edge has in the champion.
function trustedEdges(posterior, champion) {
  if (!posterior?.consensus) return null;
  const { edges, mpdag, cpdag } = posterior.consensus;
  const probabilities = new Map(posterior.pairs.map((pair) => [key(pair.a, pair.b), pair]));
  const byKey = new Map(champion.map((edge) => [edge.key, edge]));
  return classEdges(edges, mpdag ?? cpdag).map((edge) => {
    const { a, edge: adjacent, forward, backward } = probabilities.get(edge.key);
    const isForward = a === edge.from;
    return { ...edge, strength: byKey.get(edge.key)?.strength,
             posterior: { edge: adjacent, forward: isForward ? forward : backward, backward: isForward ? backward : forward } };
  });
}

// `rows` are those of the table of edges.
export function readModel(result, rows) {
  const names = Object.keys(result.data.kinds);
  if (result.pag) return { result, names, champion: pagEdges(result), trusted: null, opponents: [], best: 0 };
  const pdag = result.mpdag ?? result.cpdag;
  const champion = classEdges(result.dag.edges, pdag);
  const details = new Map(result.edges.map((edge) => [key(edge.from, edge.to), edge]));
  for (const edge of champion) Object.assign(edge, details.get(edge.key));
  const byKey = new Map(champion.map((edge) => [edge.key, edge]));
  for (const row of rows) {
    const edge = byKey.get(key(row.dataset.from, row.dataset.to));
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

// What became of the opponent's edges, by key: 'same', 'added' (only the champion has it), 'dropped' (only the opponent
// has it) or 'turned' (both have the edge, and disagree about its direction).
export function difference(champion, opponent) {
  const mine = new Map(champion.map((edge) => [edge.key, edge]));
  const theirs = new Map(opponent.map((edge) => [edge.key, edge]));
  const fate = new Map();
  for (const [name, edge] of mine) {
    const other = theirs.get(name);
    const isSame = other && edge.directed === other.directed && (!edge.directed || edge.from === other.from);
    fate.set(name, !other ? 'added' : isSame ? 'same' : 'turned');
  }
  for (const name of theirs.keys()) if (!mine.has(name)) fate.set(name, 'dropped');
  return fate;
}
