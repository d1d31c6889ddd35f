// Sliders for the actuators of a live simulation.

import { element } from './dom';
import type { Actuator } from './protocol';
import type { LiveSource } from './source_live';
import type { Viewer } from './viewer';

const INTERVAL = 200;
/** A slider that was just moved is left alone until the simulation has heard of it. */
const PATIENCE = 600;

/** The range of a slider; where a limit is missing, one that leaves room on both sides. */
function sliderRange(actuator: Actuator): [number, number] {
  const [low, high] = actuator.range ?? [null, null];
  const reach = Math.max(1, 2 * Math.abs(actuator.control));
  if (low !== null && high !== null) return [low, high];
  if (low !== null) return [low, Math.max(low, actuator.control) + 2 * reach];
  if (high !== null) return [Math.min(high, actuator.control) - 2 * reach, high];
  return [-reach, reach];
}

class ActuatorRow {
  readonly box: HTMLElement;
  private readonly slider = element('input', { type: 'range' });
  private readonly field = element('input', { type: 'number' });
  private touched = -Infinity;
  private shown = 0;

  constructor(
    private readonly actuator: Actuator,
    private readonly index: number,
    private readonly live: LiveSource,
  ) {
    const [low, high] = sliderRange(actuator);
    this.slider.min = String(low);
    this.slider.max = String(high);
    this.slider.step = this.field.step = 'any';
    if (typeof actuator.range?.[0] === 'number') this.field.min = String(actuator.range[0]);
    if (typeof actuator.range?.[1] === 'number') this.field.max = String(actuator.range[1]);
    for (const input of [this.slider, this.field]) input.setAttribute('aria-label', actuator.name);
    this.slider.addEventListener('input', () => this.set(Number(this.slider.value)));
    this.field.addEventListener('change', () => this.set(Number(this.field.value)));
    const title = `${actuator.name} (${actuator.type})`;
    this.box = element('div', { class: 'actuator' }, element('span', { class: 'name', title }, actuator.name), this.field, this.slider);
    this.show(actuator.control);
  }

  set(value: number): void {
    // Frames have single precision, and could not tell back what is larger.
    if (!Number.isFinite(Math.fround(value))) return this.show(this.shown);
    value = Math.min(Math.max(value, this.actuator.range?.[0] ?? value), this.actuator.range?.[1] ?? value);
    this.touched = performance.now();
    this.show(value);
    this.live.send({ do: 'control', index: this.index, value });
  }

  reset(): void {
    this.set(this.actuator.control);
  }

  /** What the simulation says it is, unless the reader is just changing it. */
  hear(value: number | undefined): void {
    const busy = performance.now() - this.touched < PATIENCE || document.activeElement === this.field;
    if (value !== undefined && !busy) this.show(value);
  }

  private show(value: number): void {
    this.shown = value;
    this.slider.value = String(value);
    this.field.value = String(Number(value.toPrecision(4)));
  }
}

export function addActuators(viewer: Viewer, live: LiveSource, panel: HTMLElement): void {
  const { actuators } = viewer.scene;
  if (actuators.length === 0) return;
  const rows = actuators.map((actuator, index) => new ActuatorRow(actuator, index, live));
  const reset = element('button', { type: 'button' }, 'Reset controls');
  reset.addEventListener('click', () => rows.forEach((row) => row.reset()));
  panel.append(element('section', { class: 'actuators' }, element('h2', {}, 'Actuators'), ...rows.map((row) => row.box), reset));
  let last = 0;
  viewer.onTurn.push(() => {
    const now = performance.now();
    if (now - last < INTERVAL || !viewer.frame) return;
    last = now;
    rows.forEach((row, index) => row.hear(viewer.frame!.ctrl[index]));
  });
}
