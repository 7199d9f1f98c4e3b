// Required and forbidden edges as arrows between the columns: drag from one box to another to draw one, click it to take
// it away. The boxes stand by tier, the earliest on the left.
import cytoscape from 'cytoscape';
import { onTheme } from '../src/dom';
import { nodeWidth } from '../src/layout';
import type { Pair } from './answers';
import { addKeys, fit, styleWith } from './canvas';

export type EdgeKind = 'required' | 'forbidden';
export interface Drawn { kind: EdgeKind; pair: Pair }

const styleSheet = () => styleWith((c) => [
  { selector: 'edge.required', style: { 'line-color': c.good, 'target-arrow-color': c.good, width: 3 } },
  { selector: 'edge.forbidden', style: { 'line-color': c.bad, 'target-arrow-color': c.bad, 'line-style': 'dashed', 'target-arrow-shape': 'tee' } },
  { selector: 'node.pen', style: { width: 1, height: 1, opacity: 0, events: 'no' } },
  { selector: 'edge.pen', style: { events: 'no', 'curve-style': 'straight' } },
  { selector: 'node.over', style: { 'border-color': c.accent, 'border-width': 3 } },
]);

// Places for the columns: a block for each lane, beside each other, none much higher than the others are wide.
function places(lanes: string[][]): Map<string, { x: number; y: number }> {
  const across = 30, down = 44;
  const all = lanes.reduce((sum, lane) => sum + lane.length, 0);
  const rows = Math.max(4, Math.ceil(Math.sqrt(all)));
  const found = new Map<string, { x: number; y: number }>();
  let left = 0;
  for (const lane of lanes) {
    for (let first = 0; first < lane.length; first += rows) {
      const column = lane.slice(first, first + rows);
      const width = Math.max(...column.map(nodeWidth));
      // Every second box stands a little lower, so that arrows within a lane do not run through boxes.
      column.forEach((name, k) => found.set(name, { x: left + width / 2 + (k % 2) * across, y: k * down }));
      left += width + 3 * across;
    }
    if (lane.length > 0) left += 2 * across;
  }
  return found;
}

export class KnowledgeDrawing {
  private cy: cytoscape.Core;
  private standing = '';  // what the boxes stand by

  // `add` is told of an arrow that was drawn, `remove` of one that was clicked; `kind` says what is being drawn.
  constructor(holder: HTMLElement, kind: () => EdgeKind, add: (kind: EdgeKind, pair: Pair) => void, remove: (drawn: Drawn) => void) {
    this.cy = cytoscape({ container: holder, style: styleSheet(), layout: { name: 'preset' }, autoungrabify: true, boxSelectionEnabled: false,
      selectionType: 'single', minZoom: 0.05, maxZoom: 3 });
    onTheme(() => this.cy.style(styleSheet()));
    addKeys(holder, this.cy);
    this.cy.on('tap', 'edge', (event) => remove(event.target.data('drawn') as Drawn));
    let from: string | null = null;
    const over = (at: cytoscape.EventObject): string | null => {
      const { target } = at;
      return target !== this.cy && target.isNode() && !target.hasClass('pen') ? target.data('name') as string : null;
    };
    const lift = () => {
      from = null;
      this.cy.elements('.pen').remove();
      this.cy.nodes().removeClass('over');
    };
    this.cy.on('tapstart', 'node', (event) => { from = over(event); });
    this.cy.on('tapdrag', (event) => {
      if (from === null) return;
      const pen = this.cy.getElementById('pen');
      if (pen.empty()) {
        this.cy.add([{ group: 'nodes', data: { id: 'pen', name: '', width: 1 }, classes: 'pen', position: event.position },
                     { group: 'edges', data: { source: `n${from}`, target: 'pen' }, classes: `pen ${kind()}` }]);
      } else {
        pen.position(event.position);
      }
      this.cy.nodes().removeClass('over');
      const to = over(event);
      if (to !== null && to !== from) this.cy.getElementById(`n${to}`).addClass('over');
    });
    this.cy.on('tapend', (event) => {
      const start = from, to = over(event);
      lift();
      if (start !== null && to !== null && to !== start) add(kind(), [start, to]);
    });
  }

  // `lanes` from left to right.
  show(lanes: string[][], edges: Drawn[]): void {
    const now = JSON.stringify(lanes), at = places(lanes);
    this.cy.batch(() => {
      if (now !== this.standing) {
        this.cy.elements().remove();
        this.cy.add([...at].map(([name, position]) => ({ group: 'nodes' as const, position,
          data: { id: `n${name}`, name, width: nodeWidth(name) } })));
      }
      this.cy.edges().remove();
      this.cy.add(edges.map((drawn) => ({ group: 'edges' as const, classes: drawn.kind,
        data: { source: `n${drawn.pair[0]}`, target: `n${drawn.pair[1]}`, drawn } })));
    });
    if (now !== this.standing) this.arrange();
    this.standing = now;
  }

  // To the size of its place, which has none while another step is shown.
  arrange(): void {
    this.cy.resize();
    fit(this.cy);
  }

  // Marks the boxes that a name was searched for.
  mark(names: Set<string>): void {
    this.cy.nodes().forEach((node) => { node.toggleClass('over', names.has(node.data('name') as string)); });
  }

  // For the tests: where a box is on the screen.
  at(name: string): { x: number; y: number } {
    const box = this.cy.container()?.getBoundingClientRect();
    const point = this.cy.getElementById(`n${name}`).renderedPosition();
    return { x: (box?.x ?? 0) + point.x, y: (box?.y ?? 0) + point.y };
  }
}
