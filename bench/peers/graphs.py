"""A DAG of a partially directed graph, so that `agon score` and `agon compare` take the answers of all peers alike."""


def dag_of(size, edges):
    """Edges [from, to, is_directed] over nodes 0..size-1 -> (edges [from, to] of a DAG, whether it extends them).

    The elimination of Dor & Tarsi 1992: take off a node without outgoing arrows whose neighbours are adjacent to all
    that is adjacent to it; its edges then point at it. PC and FCI may give a graph that no DAG agrees with (colliders
    that contradict each other, cycles). There the elimination is forced as in agon (dag_by_rule of
    agon/graph/equivalence.h): the node with the fewest outgoing arrows, then the fewest pairs of a neighbour and
    another adjacent node that are not adjacent, then the smallest number goes first.
    """
    out = [set() for _ in range(size)]
    near = [set() for _ in range(size)]  # undirected
    adjacent = [set() for _ in range(size)]
    for a, b, directed in edges:
        adjacent[a].add(b)
        adjacent[b].add(a)
        if directed:
            out[a].add(b)
        else:
            near[a].add(b)
            near[b].add(a)

    def broken_pairs(v):
        return sum(1 for y in near[v] for z in adjacent[v] if z != y and z not in adjacent[y])

    left, dag, consistent = set(range(size)), [], True
    while left:
        cost, v = min(((len(out[v]), broken_pairs(v)), v) for v in left)
        consistent = consistent and cost == (0, 0)
        for u in sorted(adjacent[v]):
            dag.append([u, v])
            for sets in (out, near, adjacent):
                sets[u].discard(v)
        left.remove(v)
    return dag, consistent
