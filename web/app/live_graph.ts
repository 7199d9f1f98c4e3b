// The champion while a search runs, drawn again whenever there is a new one.
import cytoscape from 'cytoscape';
import { onTheme } from '../src/dom';
import { type Point, nodeWidth } from '../src/layout';
import { LayoutWorker } from '../src/layouts';
import type { Pair } from './answers';
import { plainStyle } from './canvas';

interface Champion { names: string[]; pairs: Pair[] }

export class LiveGraph {
  private cy: cytoscape.Core;
  private aside = new LayoutWorker();
  private waiting: Champion | null = null;
  private isDrawing = false;

  constructor(holder: HTMLElement) {
    this.cy = cytoscape({ container: holder, style: plainStyle(), layout: { name: 'preset' }, autoungrabify: true, userZoomingEnabled: false,
      userPanningEnabled: false, boxSelectionEnabled: false });
    onTheme(() => this.cy.style(plainStyle()));
  }

  clear(): void {
    this.waiting = null;
    this.aside.stop();
    this.cy.elements().remove();
  }

  // Of the champions that come while one is laid out, the last is drawn next.
  async draw(names: string[], pairs: Pair[]): Promise<void> {
    this.waiting = { names, pairs };
    if (this.isDrawing) return;
    this.isDrawing = true;
    while (this.waiting) {
      const next: Champion = this.waiting;
      this.waiting = null;
      const edges = next.pairs.map(([from, to]) => ({ from, to, key: JSON.stringify([from, to]) }));
      const layout = await this.aside.layOut(next.names, edges, 'layers');
      if (layout) this.put(next, layout.positions);
    }
    this.isDrawing = false;
  }

  private put({ names, pairs }: Champion, positions: Map<string, Point>): void {
    this.cy.batch(() => {
      this.cy.elements().remove();
      this.cy.add(names.map((name) => ({ group: 'nodes' as const, position: positions.get(name) ?? { x: 0, y: 0 },
        data: { id: `n${name}`, name, width: nodeWidth(name) } })));
      this.cy.add(pairs.map(([from, to]) => ({ group: 'edges' as const, data: { source: `n${from}`, target: `n${to}` } })));
    });
    this.cy.resize();
    this.cy.fit(undefined, 12);
  }
}
