// Making pieces of the page. Text is always set as text.

type Child = Node | string;

interface Attributes {
  class?: string;
  id?: string;
  type?: string;
  title?: string;
  label?: string;
  placeholder?: string;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name === 'label' ? 'aria-label' : name, value as string);
  }
  made.append(...children);
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page lacks #${id}.`);
  return found as T;
}

// Strokes of the icons, on a square of 24.
const ICONS = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  back: 'M17 5v14l-9-7zM6 5v14',
  forward: 'M7 5v14l9-7zM18 5v14',
  start: 'M19 5v14l-8-7zM11 5v14l-8-7z',
  reset: 'M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5',
  loop: 'M17 3l3.5 3.5L17 10M3.5 12V9.5a3 3 0 0 1 3-3h14M7 21l-3.5-3.5L7 14M20.5 12v2.5a3 3 0 0 1-3 3h-14',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  curve: 'M4 4v16h16M7 15l4-5 3 3 5-7',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
  camera: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5',
  theme: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  help: 'M9 9a3 3 0 1 1 4.2 2.750c-.8.4-1.2 1-1.2 1.850v.4M12 17.5h.01M12 2.8a9.2 9.2 0 1 0 0 18.4 9.2 9.2 0 0 0 0-18.4z',
  hand: 'M8 12V6.5a1.5 1.5 0 0 1 3 0V11M11 10.5V5a1.5 1.5 0 0 1 3 0v5.5M14 10.5V6.5a1.5 1.5 0 0 1 3 0V14a7 7 0 0 1-7 7c-3 0-4.5-1.5-6-4.5l-1.5-3a1.5 1.5 0 0 1 2.6-1.5L8 14.5',
  close: 'M6 6l12 12M18 6L6 18',
  target: 'M12 3v4M12 17v4M3 12h4M17 12h4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

export function button(label: string, image: IconName, action: () => void, key = ''): HTMLButtonElement {
  const made = element('button', { type: 'button', label, title: key ? `${label} (${key})` : label });
  made.append(icon(image));
  made.addEventListener('click', action);
  return made;
}

export function setIcon(holder: HTMLElement, name: IconName): void {
  if (holder.dataset.icon === name) return;
  holder.dataset.icon = name;
  holder.replaceChildren(icon(name));
}

/** Changes the page only where the text is another one. */
export function setText(holder: HTMLElement, text: string): void {
  if (holder.textContent !== text) holder.textContent = text;
}

/** A number as people read it: four digits that count. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return value.toExponential(3).replace(/\.?0+e/, 'e');
  return String(Number(value.toPrecision(4)));
}
