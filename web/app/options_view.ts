// The options of `agon discover` behind "more": the usual ones first, all others by group.
import type { OptionInfo } from './answers';
import { byId, el } from './parts';
import { type State, changed } from './state';

// What the page has other means for, or what only a file system can do.
const elsewhere = new Set(['discrete', 'continuous', 'drop', 'exclude-var', 'knowledge', 'required', 'forbidden', 'threads', 'start',
  'data-dir', 'checkpoint', 'checkpoint-every', 'memory-limit', 'network', 'proposal-network']);

function field(info: OptionInfo, state: State): HTMLElement {
  const id = `option-${info.name}`;
  const take = (value: string) => {
    if (value === '') delete state.typed[info.name];
    else state.typed[info.name] = value;
    changed('options');
  };
  let input: HTMLElement;
  if (info.flag) {
    input = el('input', { type: 'checkbox', id, onchange: (event: Event) => take((event.target as HTMLInputElement).checked ? 'true' : '') });
  } else if (info.choices.length > 0 && info.type === 'a text') {
    input = el('select', { id, onchange: (event: Event) => take((event.target as HTMLSelectElement).value) },
      el('option', { value: '' }, 'default'), ...info.choices.map((choice) => el('option', { value: choice }, choice)));
  } else {
    input = el('input', { type: 'text', id, size: 12, autocomplete: 'off', spellcheck: 'false', placeholder: 'default',
      onchange: (event: Event) => take((event.target as HTMLInputElement).value.trim()) });
  }
  return el('div', { class: 'option' }, el('label', { for: id }, info.name), input, el('p', { class: 'faint' }, info.help));
}

export function addOptions(state: State, all: OptionInfo[]): void {
  const place = byId('options');
  const shown = all.filter((info) => !elsewhere.has(info.name));
  const draw = () => {
    const common = shown.filter((info) => info.common), others = shown.filter((info) => !info.common);
    const groups = [...new Set(others.map((info) => info.group))];
    place.replaceChildren(...common.map((info) => field(info, state)),
      ...groups.map((group) => el('details', {}, el('summary', {}, group),
        ...others.filter((info) => info.group === group).map((info) => field(info, state)))));
  };
  draw();
  resetOptions = draw;
}

// A new table begins with the defaults.
export let resetOptions: () => void = () => undefined;
