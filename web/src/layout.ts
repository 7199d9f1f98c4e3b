// Where nodes are placed, in one of three ways:
//
//   layers    causes above effects (dagre: Sugiyama's method with network simplex)
//   force     neighbours close to each other
//   clusters  groups that have more edges within than between them (clusters.js), each in layers
//
// Parts that no edge connects are laid out one by one and packed in rows; nodes without edges are in rows below.
// layOut() returns {positions: Map name -> {x, y}, bends: Map edge key -> points}; it depends on its arguments alone.
import dagre from '@dagrejs/dagre';
import { communities } from './clusters';

export const nodeHeight = 24;

// Beyond so many edges dagre takes seconds: the rows of plainLayers serve.
const mostForDagre = 400;
const gap = 14, rowGap = 52, partGap = 40;
const shape = 1.6;  // how much wider than high the whole should be, about as the drawing's place on the page

export interface Point { x: number; y: number }
export interface Line { from: string; to: string; key: string }
export interface Layout { positions: Map<string, Point>; bends: Map<string, Point[]> }
export type Kind = 'layers' | 'force' | 'clusters';
interface Part { names: string[]; edges: Line[] }
interface Box extends Layout { width: number; height: number }

// Each name is measured once. A worker has no letters to measure: it is told.
const widths = new Map<string, number>();
let measure: CanvasRenderingContext2D | null = null;
export function nodeWidth(name: string): number {
  let width = widths.get(name);
  if (width === undefined) {
    measure ??= document.createElement('canvas').getContext('2d')!;
    measure.font = '13px system-ui, sans-serif';
    width = Math.min(220, Math.ceil(measure.measureText(name).width) + 18);
    widths.set(name, width);
  }
  return width;
}

export function learnWidths(names: string[], known: number[]): void {
  names.forEach((name, k) => widths.set(name, known[k]!));
}

const id = (name: string) => `n${name}`;  // so that no name equals a property that every object has

export function layOut(names: string[], edges: Line[], kind: Kind = 'layers'): Layout {
  const linked = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
  const lay = { layers: inLayers, force: byForce, clusters: inClusters }[kind];
  const parts = components([...linked], edges).map((part) => boxed(lay(part.names, part.edges)));
  const whole = packed(parts);
  placeAlone(names.filter((name) => !linked.has(name)), whole);
  return whole;
}

// The connected parts of a graph, largest first.
function components(names: string[], edges: Line[]): Part[] {
  const root = new Map(names.map((name) => [name, name]));
  const find = (name: string) => {
    let at = name;
    for (let above = root.get(at)!; above !== at; above = root.get(at)!) {
      root.set(at, root.get(above)!);
      at = root.get(at)!;
    }
    return at;
  };
  for (const edge of edges) root.set(find(edge.from), find(edge.to));
  return groups(names, edges, find);
}

// Splits nodes and the edges within by the group that `of` gives each name; largest first.
function groups(names: string[], edges: Line[], of: (name: string) => unknown): Part[] {
  const parts = new Map<unknown, Part>();
  for (const name of names) {
    const part = parts.get(of(name));
    if (part) part.names.push(name);
    else parts.set(of(name), { names: [name], edges: [] });
  }
  for (const edge of edges) if (of(edge.from) === of(edge.to)) parts.get(of(edge.from))?.edges.push(edge);
  return [...parts.values()].sort((a, b) => b.names.length - a.names.length);
}

// Moves a layout so that its box begins at (0, 0), and measures it.
function boxed({ positions, bends }: Layout): Box {
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  const take = (x: number, y: number, w: number, h: number) => {
    left = Math.min(left, x - w);
    top = Math.min(top, y - h);
    right = Math.max(right, x + w);
    bottom = Math.max(bottom, y + h);
  };
  for (const [name, { x, y }] of positions) take(x, y, nodeWidth(name) / 2, nodeHeight / 2);
  for (const points of bends.values()) for (const { x, y } of points) take(x, y, 0, 0);
  shift({ positions, bends }, -left, -top);
  return { positions, bends, width: right - left, height: bottom - top };
}

function shift({ positions, bends }: Layout, x: number, y: number): void {
  for (const point of [...positions.values(), ...[...bends.values()].flat()]) {
    point.x += x;
    point.y += y;
  }
}

// Places parts beside each other in rows, in the order given, so that the whole has about the shape of the page.
function packed(parts: Box[]): Box {
  const area = parts.reduce((sum, part) => sum + (part.width + partGap) * (part.height + partGap), 0);
  const room = Math.max(Math.sqrt(area * shape), ...parts.map((part) => part.width));
  const positions = new Map<string, Point>(), bends = new Map<string, Point[]>();
  let x = 0, y = 0, high = 0, right = 0;
  for (const part of parts) {
    if (x > 0 && x + part.width > room) {
      x = 0;
      y += high + partGap;
      high = 0;
    }
    shift(part, x, y);
    part.positions.forEach((point, name) => positions.set(name, point));
    part.bends.forEach((points, key) => bends.set(key, points));
    x += part.width + partGap;
    high = Math.max(high, part.height);
    right = Math.max(right, x - partGap);
  }
  return { positions, bends, width: right, height: parts.length > 0 ? y + high : 0 };
}

function placeAlone(names: string[], whole: Box): void {
  const room = Math.max(whole.width, 700);
  let x = 0, y = whole.height + (whole.height > 0 ? 50 : 0);
  for (const name of names) {
    const width = nodeWidth(name);
    if (x > 0 && x + width > room) {
      x = 0;
      y += nodeHeight + gap;
    }
    whole.positions.set(name, { x: x + width / 2, y });
    x += width + gap;
  }
}

function inLayers(names: string[], edges: Line[]): Layout {
  if (edges.length > mostForDagre) return plainLayers(names, edges);
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 22, edgesep: 8, ranksep: 52 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const name of names) graph.setNode(id(name), { width: nodeWidth(name), height: nodeHeight });
  for (const edge of edges) graph.setEdge(id(edge.from), id(edge.to));
  dagre.layout(graph);
  const point = ({ x = 0, y = 0 }: Partial<Point>): Point => ({ x, y });
  return {
    positions: new Map(names.map((name) => [name, point(graph.node(id(name)))])),
    // The first and the last point are where the edge meets its nodes; cytoscape computes those itself.
    bends: new Map(edges.map((edge) => [edge.key, (graph.edge(id(edge.from), id(edge.to)).points ?? []).slice(1, -1).map(point)])),
  };
}

// The length of the longest path to each node; a node without parents is as deep as its children allow. An edge that
// would close a cycle is ignored: a DAG has none, but two graphs drawn over each other may.
function depths(names: string[], edges: Line[]): Map<string, number> {
  const parents = new Map(names.map((name): [string, string[]] => [name, []]));
  for (const edge of edges) parents.get(edge.to)!.push(edge.from);
  const depth = new Map<string, number>(), open = new Set<string>();
  const visit = (name: string): number => {
    const known = depth.get(name);
    if (known !== undefined) return known;
    open.add(name);
    let most = 0;
    for (const parent of parents.get(name)!) if (!open.has(parent)) most = Math.max(most, visit(parent) + 1);
    open.delete(name);
    depth.set(name, most);
    return most;
  };
  names.forEach(visit);
  const highest = new Map<string, number>();  // child of each node
  for (const { from, to } of edges) highest.set(from, Math.min(highest.get(from) ?? Infinity, depth.get(to)!));
  for (const name of names) if (parents.get(name)!.length === 0) depth.set(name, Math.max(0, highest.get(name)! - 1));
  return depth;
}

// Layers for many edges: each node as deep as its longest path, ordered by the mean place of its neighbours, edges
// straight. A layer that is too wide becomes several rows.
function plainLayers(names: string[], edges: Line[]): Layout {
  const depth = depths(names, edges);
  const layers: string[][] = [];
  for (const name of names) (layers[depth.get(name)!] ??= []).push(name);
  const near = new Map(names.map((name): [string, string[]] => [name, []]));
  for (const { from, to } of edges) {
    near.get(from)!.push(to);
    near.get(to)!.push(from);
  }
  const place = new Map<string, number>();  // in its layer, from 0 to 1
  const number = (layer: string[]) => layer.forEach((name, k) => place.set(name, (k + 0.5) / layer.length));
  layers.forEach(number);
  for (let sweep = 0; sweep < 12; sweep += 1) {
    for (const layer of sweep % 2 === 0 ? layers : [...layers].reverse()) {
      const mean = new Map(layer.map((name): [string, number] => {
        const others = near.get(name)!;
        return [name, others.reduce((sum, other) => sum + place.get(other)!, 0) / others.length];
      }));
      layer.sort((a, b) => mean.get(a)! - mean.get(b)!);
      number(layer);
    }
  }
  const lengthOf = (line: string[]) => line.reduce((sum, name) => sum + nodeWidth(name) + gap, 0);
  const room = Math.sqrt(lengthOf(names) * (nodeHeight + rowGap) * shape);
  const lines = layers.flatMap((layer) => {
    const rows = Math.ceil(lengthOf(layer) / room);
    // Neighbours in the order alternate between the rows, so that all rows keep the order.
    return Array.from({ length: rows }, (_, row) => ({ line: layer.filter((__, k) => k % rows === row), isLast: row + 1 === rows }));
  });
  // Many short lines are spread, so that the whole is no tower.
  const wide = Math.max(room, 0.6 * lines.length * (nodeHeight + rowGap));
  const positions = new Map<string, Point>();
  let y = 0;
  for (const { line, isLast } of lines) {
    const more = Math.min(150, Math.max(0, (wide - lengthOf(line)) / line.length));
    let x = -(lengthOf(line) + more * line.length) / 2;
    for (const name of line) {
      positions.set(name, { x: x + (nodeWidth(name) + more) / 2, y });
      x += nodeWidth(name) + gap + more;
    }
    y += nodeHeight + (isLast ? rowGap : gap);
  }
  return { positions, bends: new Map(edges.map((edge) => [edge.key, []])) };
}

// Edges pull, nodes push each other away, and the moves grow smaller (Fruchterman & Reingold 1991). It begins with the
// layers, so that the same graph gives the same picture. Names are wide, so x counts half.
function byForce(names: string[], edges: Line[]): Layout {
  const start = plainLayers(names, edges).positions;
  const n = names.length, at = new Map(names.map((name, k) => [name, k]));
  const x = Float64Array.from(names, (name) => start.get(name)!.x / 2), y = Float64Array.from(names, (name) => start.get(name)!.y);
  const pushX = new Float64Array(n), pushY = new Float64Array(n);
  const ends = edges.map((edge): [number, number] => [at.get(edge.from)!, at.get(edge.to)!]);
  const rest = 60, steps = Math.round(Math.min(300, Math.max(80, 1e8 / n ** 2)));  // a step looks at every pair
  for (let step = 0; step < steps; step += 1) {
    for (let a = 0; a < n; a += 1) {  // towards the middle, so that the whole stays together
      pushX[a]! = -0.02 * x[a]!;
      pushY[a]! = -0.02 * y[a]!;
    }
    for (let a = 0; a < n; a += 1) {
      for (let b = a + 1; b < n; b += 1) {
        const dx = x[a]! - x[b]! || 0.01, dy = y[a]! - y[b]!, f = rest ** 2 / (dx * dx + dy * dy + 1);
        pushX[a]! += dx * f;
        pushY[a]! += dy * f;
        pushX[b]! -= dx * f;
        pushY[b]! -= dy * f;
      }
    }
    for (const [a, b] of ends) {
      const dx = x[a]! - x[b]!, dy = y[a]! - y[b]!, f = Math.hypot(dx, dy) / rest;
      pushX[a]! -= dx * f;
      pushY[a]! -= dy * f;
      pushX[b]! += dx * f;
      pushY[b]! += dy * f;
    }
    const most = 100 * (1 - step / steps) + 0.5;
    for (let a = 0; a < n; a += 1) {
      const scale = Math.min(1, most / (Math.hypot(pushX[a]!, pushY[a]!) || 1));
      x[a]! += pushX[a]! * scale;
      y[a]! += pushY[a]! * scale;
    }
  }
  const boxes = names.map((name, k) => ({ name, x: 2 * x[k]!, y: y[k]!, half: nodeWidth(name) / 2 + 4 }));
  separate(boxes);
  return { positions: new Map(boxes.map((box) => [box.name, { x: box.x, y: box.y }])), bends: new Map() };
}

// Pushes boxes that overlap apart, along the axis on which less is needed, until none does.
function separate(boxes: { x: number; y: number; half: number }[]): void {
  const high = nodeHeight + 6;
  for (let round = 0, moved = true; moved && round < 2000; round += 1) {
    moved = false;
    boxes.sort((a, b) => a.y - b.y || a.x - b.x);
    for (let i = 0; i < boxes.length; i += 1) {
      for (let j = i + 1; j < boxes.length && boxes[j]!.y - boxes[i]!.y < high; j += 1) {
        const a = boxes[i]!, b = boxes[j]!;
        const x = a.half + b.half - Math.abs(a.x - b.x), y = high - (b.y - a.y);
        if (x <= 0.01 || y <= 0.01) continue;
        moved = true;
        if (y < x) {
          a.y -= y / 2;
          b.y += y / 2;
        } else {
          const side = a.x <= b.x ? x / 2 : -x / 2;
          a.x -= side;
          b.x += side;
        }
      }
    }
  }
}

function inClusters(names: string[], edges: Line[]): Layout {
  const group = communities(names, edges);
  const parts = groups(names, edges, (name) => group.get(name));
  return packed(parts.map((part) => boxed(inLayers(part.names, part.edges))));
}

// Bend points as cytoscape needs them: how far along the line between the nodes, and how far away from it.
export function segments(from: Point, to: Point, points: Point[]): { weights: number[]; distances: number[] } {
  const dx = to.x - from.x, dy = to.y - from.y, length = Math.hypot(dx, dy) || 1;
  const weights: number[] = [], distances: number[] = [];
  for (const point of points) {
    const px = point.x - from.x, py = point.y - from.y;
    weights.push((px * dx + py * dy) / (length * length));
    distances.push((dx * py - dy * px) / length);
  }
  return { weights, distances };
}
