// The champion while a search runs, drawn again whenever there is a new one.
import cytoscape from 'cytoscape';
import { colours, onTheme } from '../src/dom.js';
import { layOut, nodeWidth } from '../src/layout.js';
import type { Pair } from './answers';

// Boxes and arrows in the colours of the page.
export function plainStyle(): cytoscape.StylesheetJson {
  const c = colours() as Record<string, string>;
  return [
    { selector: 'node', style: { shape: 'round-rectangle', width: 'data(width)', height: 26, 'background-color': c.node, label: 'data(name)',
      color: c.ink, 'font-size': 13, 'font-family': 'system-ui, sans-serif', 'text-valign': 'center', 'text-halign': 'center',
      'border-width': 1, 'border-color': c.line } },
    { selector: 'edge', style: { 'curve-style': 'bezier', width: 2, 'line-color': c.line, 'target-arrow-color': c.line,
      'target-arrow-shape': 'triangle', 'arrow-scale': 1.1 } },
  ] as cytoscape.StylesheetJson;
}

export class LiveGraph {
  private cy: cytoscape.Core;

  constructor(holder: HTMLElement) {
    this.cy = cytoscape({ container: holder, style: plainStyle(), layout: { name: 'preset' }, autoungrabify: true, userZoomingEnabled: false,
      userPanningEnabled: false, boxSelectionEnabled: false });
    onTheme(() => this.cy.style(plainStyle()));
  }

  clear(): void {
    this.cy.elements().remove();
  }

  draw(names: string[], pairs: Pair[]): void {
    const edges = pairs.map(([from, to]) => ({ from, to, key: JSON.stringify([from, to]), directed: true }));
    const { positions } = layOut(names, edges, 'layers') as { positions: Map<string, { x: number; y: number }> };
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
