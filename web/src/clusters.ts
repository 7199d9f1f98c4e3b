// Groups of nodes that have more edges within than between them: Louvain's method (Blondel et al. 2008, J. Stat. Mech.
// P10008) on the graph without directions, every edge weighing the same. Nodes are visited in the order given and ties
// keep a node where it is, so the same graph always gives the same groups.

// Map name -> number of its group.
type Weights = Map<number, number>;

export function communities(names: string[], edges: { from: string; to: string }[]): Map<string, number> {
  const at = new Map(names.map((name, k) => [name, k]));
  let near = names.map((): Weights => new Map());  // near[a].get(b): the weight between a and b; [a][a]: twice that within a
  const join = (list: Weights[], a: number, b: number, weight: number) => list[a]!.set(b, (list[a]!.get(b) ?? 0) + weight);
  for (const { from, to } of edges) {
    join(near, at.get(from)!, at.get(to)!, 1);
    join(near, at.get(to)!, at.get(from)!, 1);
  }
  let group = names.map((_, k) => k);  // of each name
  while (true) {
    const { label, count } = settle(near);
    group = group.map((node) => label[node]!);
    if (count === near.length) break;
    const merged = Array.from({ length: count }, (): Weights => new Map());  // each group is a node now
    near.forEach((others, a) => others.forEach((weight, b) => join(merged, label[a]!, label[b]!, weight)));
    near = merged;
  }
  return new Map(names.map((name, k) => [name, group[k]!]));
}

// Moves single nodes to the group among their neighbours' that raises modularity most, until none gains.
function settle(near: Weights[]): { label: number[]; count: number } {
  const degree = near.map((others) => [...others.values()].reduce((sum, weight) => sum + weight, 0));
  const all = degree.reduce((sum, d) => sum + d, 0) || 1;
  const label = near.map((_, k) => k), total = [...degree];
  for (let moved = true; moved;) {
    moved = false;
    near.forEach((others, node) => {
      const ties: Weights = new Map([[label[node]!, 0]]);
      others.forEach((weight, other) => {
        if (other !== node) ties.set(label[other]!, (ties.get(label[other]!) ?? 0) + weight);
      });
      total[label[node]!]! -= degree[node]!;
      const worth = (group: number) => ties.get(group)! - (total[group]! * degree[node]!) / all;
      let best = label[node]!;
      for (const group of ties.keys()) if (worth(group) > worth(best) + 1e-9) best = group;
      total[best]! += degree[node]!;
      moved ||= best !== label[node];
      label[node] = best;
    });
  }
  const numbers = new Map<number, number>();
  for (const group of label) if (!numbers.has(group)) numbers.set(group, numbers.size);
  return { label: label.map((group) => numbers.get(group)!), count: numbers.size };
}
