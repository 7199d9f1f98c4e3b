// Names that can be read at every zoom. Where a name has room in its box at a legible size, all are shown. Further out
// they are drawn larger than their boxes, those of the best connected nodes first, and a name that would cover another
// is left out until there is room.
import type cytoscape from 'cytoscape';

const inBox = 13;        // size of a name in its box, in units of the graph
const leastInBox = 8.5;  // pixels on the screen; smaller letters cannot be read
const floating = 11;     // pixels of a name that is drawn larger than its box

// Where a name would be on the screen.
interface Box { left: number; right: number; top: number; bottom: number }

// `always` holds the nodes whose names are shown whatever they cover.
export function placeLabels(cy: cytoscape.Core, always: Set<string>): void {
  const zoom = cy.zoom();
  if (inBox * zoom >= leastInBox) {
    setFonts(cy, () => inBox);
    return;
  }
  const scale = floating / inBox;
  const taken: Box[] = [], named = new Set<string>();
  const nodes = cy.nodes().not('.hidden').map((node: cytoscape.NodeSingular) => {
    const { x, y } = node.position();
    const half = (((node.data('width') as number) - 18) * scale) / 2 + 3;
    return { node, must: always.has(node.id()), rank: node.degree(false), left: x * zoom - half, right: x * zoom + half,
             top: y * zoom - floating * 0.7, bottom: y * zoom + floating * 0.7 };
  });
  const meets = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  nodes.sort((a, b) => Number(b.must) - Number(a.must) || b.rank - a.rank);
  for (const box of nodes) {
    if (!box.must && taken.some((other) => meets(box, other))) continue;
    taken.push(box);
    named.add(box.node.id());
  }
  setFonts(cy, (node) => (named.has(node.id()) ? floating / zoom : 0));
}

// 0 leaves the name out.
function setFonts(cy: cytoscape.Core, fontOf: (node: cytoscape.NodeSingular) => number): void {
  cy.batch(() => cy.nodes().forEach((node) => {
    const font = fontOf(node);
    if (node.data('font') === font) return;
    node.data('font', font);
    node.toggleClass('mute', font === 0);
    node.toggleClass('floating', font > inBox);
  }));
}
