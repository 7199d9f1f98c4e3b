// Elements made in code. Text is always inserted as text, so a name can never become markup.

export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

export const number = (x, digits = 3) =>
  x.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const count = (n) => n.toLocaleString('en');
export const counted = (n, thing) => `${count(n)} ${thing}${n === 1 ? '' : 's'}`;

// 'light' or 'dark', as the page is shown now: chosen with the button, otherwise the setting of the system.
const system = matchMedia('(prefers-color-scheme: dark)');
export function theme() {
  return document.documentElement.dataset.theme ?? (system.matches ? 'dark' : 'light');
}

const listeners = [];
export function onTheme(listener) {
  listeners.push(listener);
}
const tell = () => listeners.forEach((listener) => listener());
system.addEventListener('change', tell);

export function setTheme(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  tell();
}

// The colours of the style sheet, for what is drawn on a canvas.
export function colours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  return Object.fromEntries(
    ['paper', 'ink', 'faint', 'line', 'node', 'accent', 'good', 'bad', 'doubt', 'known', 'set'].map((name) => [name, read(name)]));
}
