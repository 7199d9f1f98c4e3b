// Where nodes are placed: causes above effects, in layers (dagre: Sugiyama's method with network simplex). Nodes
// without edges are in rows below. Returns {positions: Map name -> {x, y}, bends: Map edge key -> points}.
import dagre from '@dagrejs/dagre';

export const nodeHeight = 24;

const context = document.createElement('canvas').getContext('2d');
export function nodeWidth(name) {
  context.font = '13px system-ui, sans-serif';
  return Math.min(220, Math.ceil(context.measureText(name).width) + 18);
}

const id = (name) => `n${name}`;  // so that no name equals a property that every object has

export function layOut(names, edges) {
  const graph = new dagre.graphlib.Graph();
  const isLarge = names.length > 80;
  graph.setGraph({ rankdir: 'TB', nodesep: isLarge ? 12 : 22, edgesep: 8, ranksep: isLarge ? 44 : 52 });
  graph.setDefaultEdgeLabel(() => ({}));
  const linked = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
  for (const name of names) {
    if (linked.has(name)) graph.setNode(id(name), { width: nodeWidth(name), height: nodeHeight });
  }
  for (const edge of edges) graph.setEdge(id(edge.from), id(edge.to));
  if (linked.size > 0) dagre.layout(graph);

  const positions = new Map(), bends = new Map();
  let right = 0, bottom = 0;
  for (const name of linked) {
    const { x, y, width } = graph.node(id(name));
    positions.set(name, { x, y });
    right = Math.max(right, x + width / 2);
    bottom = Math.max(bottom, y + nodeHeight);
  }
  for (const edge of edges) {
    // The first and the last point are where the edge meets its nodes; cytoscape computes those itself.
    bends.set(edge.key, graph.edge(id(edge.from), id(edge.to)).points.slice(1, -1));
  }

  const room = Math.max(right, 700);
  let x = 0, y = bottom + (linked.size > 0 ? 50 : 0);
  for (const name of names.filter((other) => !linked.has(other))) {
    const width = nodeWidth(name);
    if (x > 0 && x + width > room) {
      x = 0;
      y += nodeHeight + 14;
    }
    positions.set(name, { x: x + width / 2, y });
    x += width + 14;
  }
  return { positions, bends };
}

// Bend points as cytoscape needs them: how far along the line between the nodes, and how far away from it.
export function segments(from, to, points) {
  const dx = to.x - from.x, dy = to.y - from.y, length = Math.hypot(dx, dy) || 1;
  const weights = [], distances = [];
  for (const point of points) {
    const px = point.x - from.x, py = point.y - from.y;
    weights.push((px * dx + py * dy) / (length * length));
    distances.push((dx * py - dy * px) / length);
  }
  return { weights, distances };
}
