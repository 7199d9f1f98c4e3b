// Small parts that several views use.
import { count, el } from '../src/dom';
import { EngineError } from './engine';

export { count, el };

export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found as Kind;
}

// A message that a screen reader reads at once.
export function showError(place: HTMLElement, error: unknown): void {
  const hint = error instanceof EngineError && error.hint ? el('p', {}, `What helps: ${error.hint}`) : null;
  const message = error instanceof Error ? error.message : String(error);
  place.replaceChildren(el('div', { class: 'error', role: 'alert' }, el('p', {}, message), hint));
}

export function save(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const gainText = (gain: number): string => `${Math.abs(gain) < 0.0005 ? '±' : gain > 0 ? '+' : '−'}${scoreText(Math.abs(gain))}`;
export const scoreText = (score: number): string => score.toLocaleString('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 });
export const button = (text: string, onclick: () => void, more: Record<string, unknown> = {}): HTMLButtonElement =>
  el('button', { type: 'button', onclick, ...more }, text);
