// A click on a heading sorts a table marked `sortable`; a cell may hold its number in data-value.
import { el } from './dom';

type Value = number | string;
const value = (cell: HTMLTableCellElement): Value => cell.dataset.value === undefined ? cell.textContent ?? '' : Number(cell.dataset.value);
const compare = (a: Value, b: Value) => typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));

export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0], headings = [...table.tHead?.rows[0]?.cells ?? []];
  if (!body) return;
  headings.forEach((heading, k) => {
    const text = heading.textContent;
    if (!text) return;  // of marks, or of pictures: there is nothing to sort by
    const sort = () => {
      const down = heading.getAttribute('aria-sort') === 'ascending' || (!heading.hasAttribute('aria-sort') && heading.className === 'number');
      for (const other of headings) other.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...body.rows].sort((a, b) => compare(value(a.cells[k]!), value(b.cells[k]!)));
      body.append(...(down ? rows.reverse() : rows));
    };
    heading.replaceChildren(el('button', { type: 'button', onclick: sort }, text));
  });
}
