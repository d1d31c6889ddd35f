// Keys, and the page that lists them.

import { button, byId, element } from './dom';
import { OPTIONS } from './options';
import type { Theme } from './theme';
import { followOrFit, type Panels } from './tools';
import type { Transport } from './transport';
import type { Viewer } from './viewer';

interface Key {
  key: string;
  shown: string;
  label: string;
  act: () => void;
}

function keysOf(viewer: Viewer, transport: Transport, theme: Theme, panels: Panels): Key[] {
  const { player } = viewer;
  const live = player.source.mode === 'live';
  const keys: Key[] = [
    { key: ' ', shown: 'Space', label: 'Play or pause', act: () => player.toggle() },
    { key: 'ArrowLeft', shown: '←', label: 'A sample back', act: () => player.step(-1) },
    { key: 'ArrowRight', shown: '→', label: live ? 'A step forward' : 'A sample forward', act: () => player.step(1) },
    { key: 'ArrowUp', shown: '↑', label: 'Faster', act: () => transport.changeSpeed(1) },
    { key: 'ArrowDown', shown: '↓', label: 'Slower', act: () => transport.changeSpeed(-1) },
    { key: 'Home', shown: 'Home', label: 'To the beginning', act: () => player.seek(player.start) },
    { key: 'End', shown: 'End', label: live ? 'To the newest moment' : 'To the end', act: () => player.seek(player.end) },
    { key: 'f', shown: 'F', label: 'Follow the selection, or fit all', act: () => followOrFit(viewer) },
    { key: '1', shown: '1', label: 'From the front', act: () => viewer.look('front') },
    { key: '2', shown: '2', label: 'From the side', act: () => viewer.look('side') },
    { key: '3', shown: '3', label: 'From above', act: () => viewer.look('top') },
    { key: '4', shown: '4', label: 'Isometric', act: () => viewer.look('isometric') },
    { key: '5', shown: '5', label: 'Fit all', act: () => viewer.look() },
    ...OPTIONS.map((option) => ({
      key: option.key,
      shown: option.key.toUpperCase(),
      label: option.label,
      act: () => viewer.setOption(option.name, !viewer.options.get(option.name)),
    })),
    { key: 'i', shown: 'I', label: 'Bodies', act: () => panels.toggle(0) },
    { key: 'p', shown: 'P', label: 'Curves', act: () => panels.toggle(1) },
    { key: 'n', shown: 'N', label: 'Light or dark', act: () => theme.toggle() },
    { key: 'Escape', shown: 'Esc', label: 'Clear the selection', act: () => viewer.select(-1) },
    { key: '?', shown: '?', label: 'This list', act: toggleHelp },
  ];
  if (live) {
    keys.push({ key: 'r', shown: 'R', label: 'Reset the simulation and the view', act: () => transport.reset() });
    keys.push({ key: 'd', shown: 'D', label: 'Pull at bodies', act: () => byId('drag-button').click() });
  }
  return keys;
}

export function toggleHelp(): void {
  const dialog = byId<HTMLDialogElement>('help');
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

function fillHelp(keys: Key[], live: boolean): void {
  const dialog = byId<HTMLDialogElement>('help');
  const row = (shown: string, label: string): HTMLElement =>
    element('div', {}, element('span', { class: 'press' }, element('kbd', {}, shown)), label);
  const list = element('div', { class: 'keys' }, ...keys.map((key) => row(key.shown, key.label)));
  list.append(row('drag', 'Turn; right button moves'), row('wheel', 'Closer or farther'), row('2 clicks', 'Look at a body'));
  if (live) list.append(row('Ctrl', 'and drag: pull at a body'));
  const head = element('header', {}, element('h2', {}, 'Keys'), button('Close', 'close', () => dialog.close()));
  dialog.append(head, list);
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
}

/** Where a key belongs to what has the focus: text that is typed, a slider that is moved, a button that is pressed. */
function belongsElsewhere(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target as HTMLElement;
  const typing = target instanceof HTMLInputElement && ['search', 'number', 'text'].includes(target.type);
  if ((typing && event.key !== 'Escape') || target instanceof HTMLSelectElement) return true;
  const pressing = event.key === ' ' && !!target.closest('button, summary, input');
  const sliding = target instanceof HTMLInputElement && target.type === 'range' && /^(Arrow|Home|End|Page)/.test(event.key);
  return pressing || sliding;
}

export function listenToKeys(viewer: Viewer, transport: Transport, theme: Theme, panels: Panels): void {
  const keys = keysOf(viewer, transport, theme, panels);
  fillHelp(keys, viewer.player.source.mode === 'live');
  const byKey = new Map(keys.map((key) => [key.key, key]));
  document.addEventListener('keydown', (event) => {
    const helpIsOpen = byId<HTMLDialogElement>('help').open;
    if (belongsElsewhere(event) || (helpIsOpen && event.key !== '?')) return;
    const key = byKey.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!key) return;
    event.preventDefault();
    key.act();
  });
}
