// A large result for the tests of the report and of the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// A result of that size in folder `name` below `folder`, drawn by agon: groups of 25 variables with most edges inside, a hub, and a
// bootstrap. No search would be quick enough.
export function makeLarge(run, folder, name, nodes, edges) {
  run('run', 'ges', 'asia', '--rows', '200', '--out', name, '--quiet');
  const path = join(folder, name, 'result.json');
  const result = JSON.parse(readFileSync(path, 'utf8'));
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const label = (k) => `${['gene', 'protein', 'signal_path', 'x'][k % 4]}_${k}`;
  const ends = new Map();
  while (ends.size < edges) {
    const a = ends.size % 40 === 0 ? 3 : Math.floor(random() * nodes);
    const near = ends.size % 40 === 0 || random() < 0.1;
    const b = near ? Math.floor(random() * nodes) : Math.min(nodes - 1, a - (a % 25) + Math.floor(random() * 25));
    if (a !== b) ends.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [label(Math.min(a, b)), label(Math.max(a, b))]);
  }
  const byName = (a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  const list = [...ends.values()].sort(byName).map(([from, to]) => {
    const edge = Math.min(1, 0.3 + random()), forward = edge * random();
    return { from, to, fixed: random() < 0.7, strength: 2 / (random() + 0.002), shares: { edge, forward, backward: (edge - forward) / 2, open: (edge - forward) / 2 } };
  });
  const pairsOf = (fixed) => list.filter((edge) => edge.fixed === fixed).map(({ from, to }) => (fixed || from < to ? [from, to] : [to, from])).sort(byName);
  result.data.kinds = Object.fromEntries(Array.from({ length: nodes }, (_, k) => [label(k), 'continuous']).sort());
  Object.assign(result.data, { columns: nodes, levels: {}, constant: [], source: name, reasons: {} });
  Object.assign(result, { dag: { edges: list.map(({ from, to }) => [from, to]) }, edges: list,
    cpdag: { directed: pairsOf(true), undirected: pairsOf(false) },
    bootstrap: { asked: 50, resamples: 50, search: 'ges', seconds: 1, stopped_by: null,
      pairs: list.map(({ from, to, shares }) => (from < to ? { a: from, b: to, ...shares }
        : { a: to, b: from, ...shares, forward: shares.backward, backward: shares.forward })).sort((x, y) => byName([x.a, x.b], [y.a, y.b])) } });
  writeFileSync(path, JSON.stringify(result));
  run('report', name);
}
