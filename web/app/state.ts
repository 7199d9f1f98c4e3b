// What the visitor has chosen, and whom to tell when it changes.
import type { Knowledge, Options, Outcome, Table } from './answers';
import type { Engine } from './engine';

export interface State {
  engine: Engine;
  source: string;              // the name of the file or the data set; '': none yet
  table: Table | null;
  kinds: Record<string, 'categorical' | 'continuous' | 'out'>;  // changed by the visitor
  typed: Record<string, string>;                                // options under "more", as typed
  knowledge: Knowledge;
  outcome: Outcome | null;
  isRunning: boolean;          // a search is on its way; everything else waits
  isOpened: boolean;           // the outcome is of another run: there is no table to play on
}

export type Change = 'table' | 'outcome' | 'options' | 'busy';
const listeners: ((change: Change) => void)[] = [];
export const onChange = (listener: (change: Change) => void): void => { listeners.push(listener); };
export const changed = (change: Change): void => listeners.forEach((listener) => listener(change));

export const nothingKnown = (): Knowledge => ({ tiers: [], required: [], forbidden: [] });

// The options about the table itself: kinds that the visitor changed, and what was typed about reading it.
export function kindOptions(state: State): Options {
  const of = (kind: string) => Object.keys(state.kinds).filter((name) => state.kinds[name] === kind);
  const options: Options = {};
  const lists: [string, string][] = [['discrete', 'categorical'], ['continuous', 'continuous'], ['drop', 'out']];
  for (const [name, kind] of lists) if (of(kind).length > 0) options[name] = of(kind);
  return options;
}

// Everything a run is asked with. Options that were typed get their types from the engine.
export async function request(state: State): Promise<{ source: string; options: Options; knowledge: Knowledge }> {
  const typed = await state.engine.ask<Options>({ do: 'parse', typed: state.typed });
  return { source: state.source, options: { ...typed, ...kindOptions(state) }, knowledge: state.knowledge };
}
