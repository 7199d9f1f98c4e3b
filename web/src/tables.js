// A click on a heading sorts a table marked `sortable`; a cell may hold its number in data-value.
import { el } from './dom.js';

const value = (cell) => cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));

export function makeSortable(table) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((heading, k) => {
    const text = heading.textContent;
    const sort = () => {
      const down = heading.getAttribute('aria-sort') === 'ascending' || (!heading.hasAttribute('aria-sort') && heading.className === 'number');
      for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...body.rows].sort((a, b) => compare(value(a.cells[k]), value(b.cells[k])));
      body.append(...(down ? rows.reverse() : rows));
    };
    heading.replaceChildren(el('button', { type: 'button', onclick: sort }, text));
  });
}
