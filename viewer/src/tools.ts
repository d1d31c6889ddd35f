// The buttons at the top: what is shown, from where, and which panels are open.

import type { ViewName } from './camera';
import { button, byId, element, icon, type IconName } from './dom';
import type { Drag } from './drag';
import { OPTIONS } from './options';
import type { Theme } from './theme';
import type { Viewer } from './viewer';

const SMALL = matchMedia('(max-width: 820px)');
const VIEWS: { name: ViewName; label: string; key: string }[] = [
  { name: 'front', label: 'Front', key: '1' },
  { name: 'side', label: 'Side', key: '2' },
  { name: 'top', label: 'Top', key: '3' },
  { name: 'isometric', label: 'Isometric', key: '4' },
];
/** The slider of the arrows goes from a hundredth to a hundredfold. */
const SCALE_DECADES = 2;

function menu(label: string, image: IconName, ...content: HTMLElement[]): HTMLDetailsElement {
  const summary = element('summary', { label, title: label }, icon(image));
  const made = element('details', { class: 'menu' }, summary, element('div', {}, ...content));
  document.addEventListener('pointerdown', (event) => {
    if (!made.contains(event.target as Node)) made.open = false;
  });
  made.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !made.open) return;
    event.stopPropagation();
    made.open = false;
    summary.focus();
  });
  return made;
}

function optionsMenu(viewer: Viewer): HTMLElement {
  const boxes = OPTIONS.map((option) => {
    const box = element('input', { type: 'checkbox' });
    box.addEventListener('change', () => viewer.setOption(option.name, box.checked));
    const row = element('label', { class: 'row' }, box, element('span', {}, option.label), element('kbd', {}, option.key.toUpperCase()));
    return { option, box, row };
  });
  const show = (): void => boxes.forEach(({ option, box }) => (box.checked = viewer.options.get(option.name) ?? false));
  viewer.onOption.push(show);
  show();
  return menu('What is shown', 'eye', ...boxes.map(({ row }) => row), scaleRow(viewer), colorKey());
}

function scaleRow(viewer: Viewer): HTMLElement {
  const slider = element('input', { type: 'range', label: 'Length of the force arrows' });
  slider.min = String(-SCALE_DECADES);
  slider.max = String(SCALE_DECADES);
  slider.step = '0.01';
  slider.value = '0';
  const value = element('output', {}, 'automatic');
  const set = (): void => {
    const scale = 10 ** Number(slider.value);
    viewer.setForceScale(scale);
    value.textContent = Number(slider.value) === 0 ? 'automatic' : `${Number(scale.toPrecision(2))}×`;
  };
  slider.addEventListener('input', set);
  slider.addEventListener('dblclick', () => {
    slider.value = '0';
    set();
  });
  const title = 'Double click for the automatic length';
  return element('label', { class: 'row slider', title }, element('span', {}, 'Arrow length'), value, slider);
}

function colorKey(): HTMLElement {
  const entry = (text: string, color: string): HTMLElement => {
    const dot = element('span', { class: 'swatch' });
    dot.style.background = color;
    return element('span', {}, dot, text);
  };
  return element('div', { class: 'key-of-colors' }, entry('sticks', 'var(--stick)'), entry('slips', 'var(--slip)'));
}

function cameraMenu(viewer: Viewer): HTMLElement {
  const row = (label: string, key: string, action: () => void): HTMLElement => {
    const made = element('button', { type: 'button', class: 'row' }, element('span', {}, label), element('kbd', {}, key));
    made.addEventListener('click', action);
    return made;
  };
  return menu(
    'Camera',
    'camera',
    ...VIEWS.map((view) => row(view.label, view.key, () => viewer.look(view.name))),
    row('Fit all', '5', () => viewer.look()),
    row('Follow the selection', 'F', () => followOrFit(viewer)),
  );
}

/** Follows the selected body, lets go of it, or fits all where nothing is selected. */
export function followOrFit(viewer: Viewer): void {
  if (viewer.selected < 0) {
    viewer.look();
    return;
  }
  viewer.follow(viewer.camera.followed === viewer.selected ? -1 : viewer.selected);
  for (const listener of viewer.onSelect) listener();
}

/** The two panels. On a small screen only one at a time has room. */
export class Panels {
  private readonly panels = [byId('bodies-panel'), byId('plots-panel')];
  private readonly buttons: HTMLButtonElement[] = [];

  constructor() {
    const wide = !SMALL.matches;
    this.panels[0].classList.toggle('open', wide);
    this.panels[1].classList.toggle('open', wide && window.innerWidth >= 1100);
  }

  attach(which: 0 | 1, made: HTMLButtonElement): void {
    this.buttons[which] = made;
    made.setAttribute('aria-controls', this.panels[which].id);
    made.addEventListener('click', () => this.toggle(which));
    this.show();
  }

  toggle(which: 0 | 1): void {
    const open = this.panels[which].classList.toggle('open');
    if (open && SMALL.matches) this.panels[1 - which].classList.remove('open');
    this.show();
  }

  private show(): void {
    this.buttons.forEach((made, which) => {
      const open = this.panels[which].classList.contains('open');
      made.setAttribute('aria-expanded', String(open));
      made.setAttribute('aria-pressed', String(open));
    });
  }
}

export function addTools(viewer: Viewer, theme: Theme, panels: Panels, drag: Drag | null, help: () => void): void {
  const list = byId<HTMLButtonElement>('bodies-button');
  list.append(icon('list'));
  list.setAttribute('aria-label', 'Bodies');
  list.title = 'Bodies (I)';
  panels.attach(0, list);
  const curves = button('Curves', 'curve', () => {}, 'P');
  panels.attach(1, curves);
  const tools = byId('tools');
  if (drag) {
    const pull = button('Pull at bodies: on, or hold Ctrl or Shift', 'hand', () => {
      drag.setTool(!drag.toolIsOn);
      pull.setAttribute('aria-pressed', String(drag.toolIsOn));
    }, 'D');
    pull.id = 'drag-button';
    tools.append(pull);
  }
  tools.append(
    optionsMenu(viewer),
    cameraMenu(viewer),
    button('Light or dark', 'theme', () => theme.toggle(), 'N'),
    button('Keys', 'help', help, '?'),
    curves,
  );
}
