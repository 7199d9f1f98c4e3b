// What the drawings of the page have in common: boxes and arrows in its colours, and the keys that move a drawing.
import type cytoscape from 'cytoscape';
import { type Colours, colours } from '../src/dom';

export function plainStyle(): cytoscape.StylesheetJson {
  const c = colours();
  return [
    { selector: 'node', style: { shape: 'round-rectangle', width: 'data(width)', height: 26, 'background-color': c.node, label: 'data(name)',
      color: c.ink, 'font-size': 13, 'font-family': 'system-ui, sans-serif', 'text-valign': 'center', 'text-halign': 'center',
      'border-width': 1, 'border-color': c.line } },
    { selector: 'edge', style: { 'curve-style': 'bezier', width: 2, 'line-color': c.line, 'target-arrow-color': c.line,
      'target-arrow-shape': 'triangle', 'arrow-scale': 1.1 } },
  ] as cytoscape.StylesheetJson;
}

// Boxes and arrows, and what a view adds to them; asked for again when the page becomes light or dark.
export function styleWith(more: (c: Colours) => object[]): cytoscape.StylesheetJson {
  return [...(plainStyle() as object[]), ...more(colours()),
          { selector: ':active', style: { 'overlay-opacity': 0 } }] as cytoscape.StylesheetJson;
}

// The whole drawing, with letters no larger than those of the page.
export function fit(cy: cytoscape.Core, most = 1.2): void {
  cy.fit(undefined, 30);
  if (cy.zoom() > most) {
    cy.zoom(most);
    cy.center();
  }
}

// Arrow keys move, + and - zoom, 0 shows all.
export function addKeys(holder: HTMLElement, cy: cytoscape.Core): void {
  holder.addEventListener('keydown', (event) => {
    const pan = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
    const zoom = { '+': 1.2, '-': 1 / 1.2 }[event.key];
    if (pan) cy.panBy({ x: pan[0] ?? 0, y: pan[1] ?? 0 });
    else if (zoom) cy.zoom({ level: cy.zoom() * zoom, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
    else if (event.key === '0') fit(cy);
    else return;
    event.preventDefault();
  });
}
