// The panel at the left: the bodies, and what there is to know about the selected one.

import { button, element, number, setText } from './dom';
import { VirtualList } from './list';
import { CONTACT, POSE, type Body, type Frame } from './protocol';
import type { Viewer } from './viewer';

const INTERVAL = 100;

/** Places in q or v that belong to a body: their names begin with its joint's name, or with its own where it floats freely. */
function placesOf(names: string[], owners: string[]): number[] {
  return names.flatMap((name, place) => (owners.some((owner) => name === owner || name.startsWith(`${owner}.`)) ? [place] : []));
}

function massOf(body: Body): string {
  return body.moves ? `${number(body.mass)} kg` : body.driven ? 'driven' : 'fixed';
}

interface ContactSum {
  count: number;
  x: number;
  y: number;
  z: number;
}

function contactsOn(frame: Frame, body: number): ContactSum {
  const sum: ContactSum = { count: 0, x: 0, y: 0, z: 0 };
  const c = frame.contacts;
  for (let k = 0; k < c.length; k += CONTACT) {
    const sign = c[k + 8] === body ? 1 : c[k + 7] === body ? -1 : 0;
    if (sign === 0) continue;
    ++sum.count;
    sum.x += sign * c[k + 3];
    sum.y += sign * c[k + 4];
    sum.z += sign * c[k + 5];
  }
  return sum;
}

type Reading = (frame: Frame) => string;

export class BodiesPanel {
  private readonly list: VirtualList;
  private readonly filter = element('input', { type: 'search', label: 'Find a body', placeholder: 'Find a body' });
  private readonly details = element('section', { class: 'details' });
  private readings: { holder: HTMLElement; read: Reading }[] = [];
  private lastUpdate = 0;

  constructor(
    private readonly viewer: Viewer,
    private readonly panel: HTMLElement,
  ) {
    this.list = new VirtualList('Bodies', (id) => viewer.select(id));
    this.filter.addEventListener('input', () => this.fill());
    const heading = element('h2', {}, `Bodies (${viewer.scene.bodies.length - 1})`);
    panel.append(element('section', { class: 'bodies' }, heading, this.filter, this.list.box), this.details);
    this.fill();
    this.describe();
    viewer.onSelect.push(() => {
      this.list.select(viewer.selected);
      this.describe();
    });
    viewer.onTurn.push(() => this.update());
  }

  private fill(): void {
    const wanted = this.filter.value.trim().toLowerCase();
    const rows = this.viewer.scene.bodies.flatMap((body, id) => {
      const name = body.name || `body ${id}`;
      if (id === 0 || !name.toLowerCase().includes(wanted)) return [];
      return [{ id, name, note: massOf(body) }];
    });
    this.list.setRows(rows);
  }

  private describe(): void {
    const { viewer } = this;
    this.readings = [];
    this.details.replaceChildren(element('h2', {}, 'Selection'));
    const body = viewer.scene.bodies[viewer.selected];
    if (!body) {
      this.details.append(element('p', { class: 'quiet' }, 'Click a body to select it; double click to look closer.'));
      return;
    }
    const facts = element('dl', { class: 'facts' });
    const add = (name: string, read: Reading): void => {
      const holder = element('dd');
      facts.append(element('dt', { title: name }, name), holder);
      this.readings.push({ holder, read });
    };
    this.addReadings(viewer.selected, add);
    this.details.append(element('div', { class: 'title' }, body.name), this.actions(), facts);
    this.lastUpdate = 0;
  }

  private addReadings(id: number, add: (name: string, read: Reading) => void): void {
    const { scene } = this.viewer;
    const body = scene.bodies[id];
    const poses = (from: number, to: number, digits: number): Reading => (frame) =>
      Array.from(frame.poses.subarray(POSE * id + from, POSE * id + to), (value) => value.toFixed(digits)).join(' ');
    add('Mass', () => massOf(body));
    add('Position', poses(0, 3, 3));
    add('Quaternion', poses(3, 7, 2));
    add('Contacts', (frame) => String(contactsOn(frame, id).count));
    add('Contact force', (frame) => {
      const sum = contactsOn(frame, id);
      return `${number(Math.hypot(sum.x, sum.y, sum.z))} N`;
    });
    const joints = scene.joints.filter((joint) => joint.child === id);
    for (const joint of joints) add('Joint', () => `${joint.name} (${joint.type})`);
    const owners = [...joints.map((joint) => joint.name), body.name];
    for (const place of placesOf(scene.q_names, owners)) add(`q ${scene.q_names[place]}`, (frame) => number(frame.q[place]));
    for (const place of placesOf(scene.v_names, owners)) add(`v ${scene.v_names[place]}`, (frame) => number(frame.v[place]));
  }

  private actions(): HTMLElement {
    const { viewer } = this;
    const closer = element('button', { type: 'button' }, 'Look closer');
    closer.addEventListener('click', () => viewer.focus(viewer.selected));
    const follow = element('button', { type: 'button' }, 'Follow');
    follow.setAttribute('aria-pressed', String(viewer.camera.followed === viewer.selected));
    follow.addEventListener('click', () => {
      viewer.follow(viewer.camera.followed === viewer.selected ? -1 : viewer.selected);
      follow.setAttribute('aria-pressed', String(viewer.camera.followed === viewer.selected));
    });
    return element('div', { class: 'buttons' }, closer, follow, button('Clear the selection', 'close', () => viewer.select(-1), 'Esc'));
  }

  private update(): void {
    const now = performance.now();
    if (now - this.lastUpdate < INTERVAL || !this.viewer.frame || !this.panel.classList.contains('open')) return;
    this.lastUpdate = now;
    for (const { holder, read } of this.readings) setText(holder, read(this.viewer.frame));
  }
}
