// The page: tabs, theme, and the views.
import { onTheme, setTheme, theme } from '../src/dom';
import { isWorker, serveLayouts } from '../src/layouts';
import type { Dataset, Format, OptionInfo } from './answers';
import { DataView } from './data_view';
import { DiscoverView } from './discover_view';
import { Engine } from './engine';
import { KnowledgeView } from './knowledge_view';
import { addOptions, resetOptions } from './options_view';
import { byId, showError } from './parts';
import { PlayView } from './play_view';
import { type State, changed, nothingKnown, onChange } from './state';

const tabs = ['data', 'knowledge', 'discover', 'play'] as const;
type Tab = (typeof tabs)[number];

function show(tab: Tab): void {
  for (const each of tabs) {
    byId(each === 'discover' ? 'discover-panel' : `${each}-panel`).hidden = each !== tab;
    byId(`tab-${each}`).setAttribute('aria-selected', String(each === tab));
    byId(`tab-${each}`).tabIndex = each === tab ? 0 : -1;
  }
  dispatchEvent(new Event('resize'));
}

function addTabs(): void {
  tabs.forEach((tab, k) => {
    const element = byId(`tab-${tab}`);
    element.addEventListener('click', () => show(tab));
    element.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const next = step && tabs[(k + step + tabs.length) % tabs.length];
      if (!next) return;
      show(next);
      byId(`tab-${next}`).focus();
    });
  });
  for (const link of document.querySelectorAll<HTMLElement>('[data-tab]')) {
    link.addEventListener('click', () => {
      show(link.dataset.tab as Tab);
      byId(`tab-${link.dataset.tab}`).focus();
    });
  }
}

function addTheme(): void {
  const button = byId('theme');
  const name = () => { button.textContent = theme() === 'dark' ? 'light' : 'dark'; };
  button.addEventListener('click', () => {
    setTheme(theme() === 'dark' ? 'light' : 'dark');
    const inner = document.querySelector('iframe')?.contentDocument?.documentElement;
    if (inner) inner.dataset.theme = theme();
  });
  onTheme(name);
  name();
}

async function start(): Promise<void> {
  const state: State = { engine: new Engine(), source: '', table: null, kinds: {}, typed: {}, knowledge: nothingKnown(), outcome: null, isRunning: false, isOpened: false };
  addTheme();
  addTabs();
  const { engine } = state;
  const { version, datasets } = await engine.ask<{ version: string; datasets: Dataset[] }>({ do: 'datasets' });
  const formats = await engine.ask<Format[]>({ do: 'formats' });
  addOptions(state, await engine.ask<OptionInfo[]>({ do: 'options' }));
  const data = new DataView(state, datasets);
  const knowledge = new KnowledgeView(state);
  const discover = new DiscoverView(state, formats);
  const play = new PlayView(state);
  data.openResult = async (file) => {
    try {
      await discover.open(file);
      show('discover');
    } catch (error) {
      showError(byId('data-said'), error);
    }
  };
  let source = '';
  onChange((change) => {
    if (change !== 'table') return;
    for (const link of document.querySelectorAll<HTMLButtonElement>('[data-tab]')) link.disabled = !state.table;
    byId('next').hidden = !state.table;
    if (source === state.source) return;
    source = state.source;
    resetOptions();
    byId('result').hidden = true;
  });
  changed('table');
  byId('version').textContent = `agon ${version}`;
  byId('loading').hidden = true;
  byId('choose').hidden = false;
  // For the tests, and for users of the browser's console.
  Object.assign(globalThis, { agonPage: { state, data, knowledge, discover, play } });
}

if (isWorker) serveLayouts();
else start().catch((error: unknown) => showError(byId('loading'), error));
