#!/usr/bin/env python3
"""Checks a proof of `agon discover` against its table, with nothing but Python's standard library.

  tools/check_proof.py result/proof.txt asia.csv

It shares no line with agon and is meant to be read: docs/proof.md has the format and the reasons. Scores: discrete-bic on
complete tables. It is slow, so keep to small tables (thousands of families, not millions).

Exit code 0: the bound that is printed holds for every graph. 1: the proof is refused. 2: not a score it can check.
"""

import csv
import re
import sys
from collections import Counter
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, getcontext

getcontext().prec = 60
UNIT = Decimal(2) ** 32  # numbers of a proof are integers in units of 2^-32 nat


class Refused(Exception):
    pass


def up(nats):
    return int((nats * UNIT).to_integral_value(ROUND_CEILING))


def down(nats):
    return int((nats * UNIT).to_integral_value(ROUND_FLOOR))


def read_proof(path):
    """The file as a dictionary; the tree as a list of steps in preorder."""
    lines = open(path, encoding="utf-8").read().split("\n")
    proof = {"required": {}, "forbidden": {}, "cuts": [], "steps": []}
    at = iter(lines)
    if next(at) != "agon-proof 1":
        raise Refused("not a proof")
    for line in at:
        word, _, rest = line.partition(" ")
        numbers = [int(x) for x in re.findall(r"-?\d+", rest)]
        if word == "data":
            proof["rows"], proof["columns"] = (int(x) for x in re.search(r"rows (\d+) columns (\d+)", rest).groups())
        elif word == "score":
            proof["score"], penalty, price = re.fullmatch(r"(\S+) penalty (\S+) price (\S+)", rest).groups()
            proof["penalty"], proof["price"] = Decimal(float(penalty)), Decimal(float(price))
        elif word == "limit":
            proof["limit"] = None if rest == "none" else int(rest)
        elif word == "names":
            quoted = re.findall(r'"((?:\\.|[^"\\])*)"', rest)
            proof["names"] = [re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], name) for name in quoted]
        elif word == "graph":
            proof["graph"] = [frozenset(int(x) for x in re.findall(r"\d+", item.partition(":")[2])) for item in rest.split(";")[:-1]]
        elif word == "claim":
            proof["epsilon"] = Decimal(rest.split()[2])
        elif word in ("require", "forbid"):
            proof["required" if word == "require" else "forbidden"][numbers[0]] = frozenset(numbers[1:])
        elif word == "cut":
            proof["cuts"].append(read_cut(rest))
        elif word in ("stage", "leaf", "open"):
            multipliers = []
            for inner in at:
                if inner == "end":
                    break
                _, cut, value = inner.split()
                multipliers.append((int(cut) - 1, int(value)))
            proof["steps"].append((word, multipliers))
        elif word == "branch":
            proof["steps"].append((word, numbers))
        elif word == "dp":
            proof["steps"].append((word, []))
        elif word == "sum":
            return proof
        else:
            raise Refused(f"a line that begins with {word!r}")
    raise Refused("the file was cut off")


def read_cut(text):
    kind = text.split()[1]
    if kind == "cluster":
        head, nodes = text.split(" : ")
        nodes = frozenset(int(x) for x in nodes.split())
        k = int(head.split()[2])
        if not 1 <= k <= len(nodes):
            raise Refused("a cluster with a wrong right side")
        # In an acyclic graph the first k nodes in a topological order have fewer than k parents inside.
        return nodes, len(nodes) - k, lambda j, parents: int(len(parents & nodes) >= k)
    if kind != "local":
        raise Refused("an unknown kind of cut")
    parts = text.split(" : ") if text.count(" : ") == 2 else text.replace(" :", " : ", 2).split(" : ")
    right, nodes = int(parts[0].split()[2]), sorted(int(x) for x in parts[1].split())
    generators = {}
    for child, parents, weight in re.findall(r"(\d+)\{([\d,]+)\}(\d+)", parts[2] if len(parts) > 2 else ""):
        inside = frozenset(int(x) for x in parents.split(","))
        if int(child) not in nodes or int(child) in inside or not inside <= set(nodes):
            raise Refused("a generator outside the nodes of its cut")
        generators.setdefault(int(child), []).append((inside, int(weight)))

    def weigh(j, parents):
        return max((w for inside, w in generators.get(j, ()) if inside <= parents), default=0)

    if len(nodes) > 12 or best_by_dp(nodes, {j: [(0, frozenset())] + [(w, s) for s, w in generators.get(j, ())] for j in nodes}) > right:
        raise Refused("a local cut that some acyclic graph violates")
    return frozenset(nodes), right, weigh


def best_by_dp(nodes, lists):
    """The highest sum of one family per node that is acyclic; families are (value, parents). None: there is none."""
    nodes = sorted(nodes)
    place = {v: 1 << k for k, v in enumerate(nodes)}
    inner = {v: [(value, sum(place[q] for q in parents if q in place)) for value, parents in lists[v]] for v in nodes}
    best = [None] * (1 << len(nodes))
    best[0] = 0
    for mask in range(1, 1 << len(nodes)):
        for v in nodes:
            rest = mask & ~place[v]
            if rest == mask or best[rest] is None:
                continue
            value = max((x for x, parents in inner[v] if parents & ~rest == 0), default=None)
            if value is not None and (best[mask] is None or best[rest] + value > best[mask]):
                best[mask] = best[rest] + value
    return best[-1]


class Table:
    """F(S) = sum of N ln N over the cells of the columns S, enclosed; and the price of a family."""

    def __init__(self, path, proof):
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = list(csv.reader(file))
        header, rows = rows[0], [row for row in rows[1:] if row]
        if len(rows) != proof["rows"] or sorted(header) != sorted(proof["names"]):
            raise Refused("the proof is about another table")
        self.columns = [[row[header.index(name)].strip() for row in rows] for name in proof["names"]]
        self.levels = [len(set(column)) for column in self.columns]
        self.n = len(rows)
        self.unit = proof["penalty"] * Decimal(self.n).ln() / 2
        self.price_each = proof["price"]
        self.terms = {c: (up(Decimal(c) * Decimal(c).ln()) + 1, down(Decimal(c) * Decimal(c).ln()) - 1) for c in range(2, self.n + 1)}
        self.known = {}

    def value(self, nodes):
        nodes = tuple(sorted(nodes))
        if nodes not in self.known:
            counts = Counter(zip(*(self.columns[v] for v in nodes))).values() if nodes else [self.n]
            terms = [self.terms[c] for c in counts if c > 1]
            self.known[nodes] = sum(t[0] for t in terms), sum(t[1] for t in terms)
        return self.known[nodes]

    def price(self, child, parents):
        configurations = 1
        for q in parents:
            configurations *= self.levels[q]
        return self.unit * (self.levels[child] - 1) * configurations + self.price_each * len(parents)

    def family(self, child, parents):
        """Upper and lower bound of the score of a family."""
        with_child, without = self.value(parents | {child}), self.value(parents)
        price = self.price(child, parents)
        return with_child[0] - without[1] - down(price), with_child[1] - without[0] - up(price)


def families(table, proof, child):
    """Every parent set that can matter, with an upper bound of its score."""
    p = len(proof["names"])
    required, forbidden = proof["required"].get(child, frozenset()), proof["forbidden"].get(child, frozenset())
    if table.levels[child] < 2:
        return [(0, frozenset())]
    candidates = [v for v in range(p) if v != child and v not in forbidden and table.levels[v] > 1]
    limit = proof["limit"] if proof["limit"] is not None else len(candidates)
    kept, best = [], {}
    alive = [frozenset()]
    for size in range(limit + 1):
        for parents in alive:
            subsets = max((best[parents - {y}] for y in parents), default=None)
            bound = table.family(child, parents)[0] if required <= parents else None
            # Dominance: a subset that is as good makes this set superfluous.
            if bound is not None and (subsets is None or bound > subsets):
                kept.append((bound, parents))
                subsets = bound
            best[parents] = subsets if subsets is not None else -(10**30)
        if size == limit:
            break
        known = set(alive)
        alive = [
            grown
            for parents in alive
            for v in candidates
            if not parents or v > max(parents)
            for grown in [parents | {v}]
            if all(grown - {y} in known for y in grown) and may_pay(table, child, grown, required)
        ]
        if not alive:
            break
    champion = proof["graph"][child]
    if proof["limit"] is not None and len(champion) > limit:
        kept.append((table.family(child, champion)[0], champion))
    return kept


def may_pay(table, child, parents, required):
    """Lemma 2: a member whose information can never exceed its price condemns the set and all its supersets."""
    for y in parents - required:
        rest = parents - {y}
        saved = down(table.price(child, parents) - table.price(child, rest))
        before = table.value(rest)[0]
        if before - table.value(parents)[1] <= saved or before - table.value(rest | {child})[1] <= saved:
            return False
    return True


class Walk:
    def __init__(self, proof, goal):
        self.proof, self.goal, self.highest, self.at = proof, goal, goal, 0

    def bound(self, lists, multipliers):
        """Weak duality: no graph scores more than the total, whatever the multipliers >= 0 are."""
        if any(value < 0 or not 0 <= cut < len(self.proof["cuts"]) for cut, value in multipliers):
            raise Refused("a wrong multiplier")
        total, reduced = 0, []
        for cut, value in multipliers:
            total += self.proof["cuts"][cut][1] * value
        for j, families_of_j in enumerate(lists):
            own = [(*self.proof["cuts"][cut], value) for cut, value in multipliers if j in self.proof["cuts"][cut][0]]
            reduced.append([score - sum(value * weigh(j, parents) for _, _, weigh, value in own) for score, parents in families_of_j])
            total += max(reduced[-1])
        return total, reduced

    def subtree(self, lists, forced):
        while True:
            if self.at == len(self.proof["steps"]):
                raise Refused("the tree is not complete")
            word, data = self.proof["steps"][self.at]
            self.at += 1
            empty = any(not families_of_j for families_of_j in lists)  # then there is no such graph
            if word == "stage" and not empty:
                total, reduced = self.bound(lists, data)
                lists = [
                    [f for f, z in zip(families_of_j, own) if total - max(own) + z > self.goal]
                    for families_of_j, own in zip(lists, reduced)
                ]
            elif word == "branch":
                start, end = data
                for stands in (True, False):
                    arcs = forced + [(start, end)] if stands else forced
                    smaller = [list(families_of_j) for families_of_j in lists]
                    smaller[end] = [f for f in smaller[end] if (start in f[1]) == stands]
                    if stands:
                        for v in range(len(smaller)):
                            reached = reach(v, arcs)
                            smaller[v] = [f for f in smaller[v] if not f[1] & reached]
                    self.subtree(smaller, arcs)
                return
            elif word in ("leaf", "open"):
                if not empty:
                    self.highest = max(self.highest, self.bound(lists, data)[0])
                return
            elif word == "dp":
                best = best_by_dp(range(len(lists)), dict(enumerate(lists))) if not empty else None
                if best is not None:
                    self.highest = max(self.highest, best)
                return


def reach(v, arcs):
    found, waiting = set(), [v]
    while waiting:
        now = waiting.pop()
        for start, end in arcs:
            if start == now and end not in found:
                found.add(end)
                waiting.append(end)
    return found


def is_acyclic(graph):
    placed = set()
    while len(placed) < len(graph):
        ready = [v for v, parents in enumerate(graph) if v not in placed and parents <= placed]
        if not ready:
            return False
        placed.update(ready)
    return True


def check(proof_path, table_path):
    proof = read_proof(proof_path)
    if proof["score"] != "discrete-bic":
        print(f"{proof['score']} is not a score that this program can check", file=sys.stderr)
        return 2
    table = Table(table_path, proof)
    graph = proof["graph"]
    if len(graph) != len(proof["names"]) or not is_acyclic(graph):
        raise Refused("the graph is not acyclic")
    for v, parents in enumerate(graph):
        if not proof["required"].get(v, frozenset()) <= parents or parents & proof["forbidden"].get(v, frozenset()):
            raise Refused("the graph breaks the knowledge that the proof states")
    score = sum(table.family(v, parents)[1] for v, parents in enumerate(graph))
    lists = [families(table, proof, v) for v in range(len(graph))]
    walk = Walk(proof, score + up(proof["epsilon"]))
    walk.subtree(lists, [])
    if walk.at != len(proof["steps"]):
        raise Refused("steps after the end of the tree")
    limit = "" if proof["limit"] is None else f" with at most {proof['limit']} parents per node"
    known = " and the stated knowledge" if proof["required"] or proof["forbidden"] else ""
    print(f"score {Decimal(score) / UNIT:.6f}; no graph{limit}{known} scores more than {Decimal(walk.highest) / UNIT:.6f}")
    print("proven" if walk.highest <= walk.goal else f"gap {Decimal(walk.highest - score) / UNIT:.6f}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__)
        sys.exit(2)
    try:
        sys.exit(check(sys.argv[1], sys.argv[2]))
    except Refused as refused:
        print(f"refused: {refused}", file=sys.stderr)
        sys.exit(1)
