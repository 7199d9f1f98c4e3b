// Elements made in code. Text is always inserted as text, so a name can never become markup.

export type Attributes = Record<string, unknown>;
export type Child = Node | string | null | undefined;

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child != null));
  return element;
}

export const number = (x: number, digits = 3): string =>
  x.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const count = (n: number): string => n.toLocaleString('en');
export const counted = (n: number, thing: string): string => `${count(n)} ${thing}${n === 1 ? '' : 's'}`;

export type Theme = 'light' | 'dark';

// As the page is shown now: chosen with the button, otherwise the setting of the system.
const system = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-color-scheme: dark)');  // null: in a worker
export function theme(): Theme {
  return document.documentElement.dataset.theme as Theme | undefined ?? (system?.matches ? 'dark' : 'light');
}

const listeners: (() => void)[] = [];
export function onTheme(listener: () => void): void {
  listeners.push(listener);
}
const tell = () => listeners.forEach((listener) => listener());
system?.addEventListener('change', tell);

export function setTheme(name?: string): void {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  tell();
}

// The colours of the style sheet, for what is drawn on a canvas.
const colourNames = ['paper', 'ink', 'faint', 'line', 'node', 'accent', 'good', 'bad', 'doubt', 'known', 'set'] as const;
export type Colours = Record<(typeof colourNames)[number], string>;

export function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return Object.fromEntries(colourNames.map((name) => [name, read(name)])) as Colours;
}
