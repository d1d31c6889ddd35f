// The bar below the scene: play, step, speed, and the line of time.

import { button, element, setIcon, setText } from './dom';
import type { Viewer } from './viewer';

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

function seconds(time: number, span: number): string {
  return time.toFixed(span < 1 ? 4 : span < 100 ? 3 : 2);
}

export class Transport {
  private readonly play: HTMLButtonElement;
  private readonly line: HTMLInputElement;
  private readonly clock = element('output', { class: 'clock', label: 'Time' });
  private readonly speed: HTMLSelectElement;
  private readonly now: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private scrubbing = false;

  constructor(
    private readonly viewer: Viewer,
    bar: HTMLElement,
  ) {
    const player = viewer.player;
    const mode = player.source.mode;
    this.play = button('Play', 'play', () => player.toggle(), 'Space');
    this.play.classList.add('primary');
    this.line = this.makeLine();
    this.speed = this.makeSpeed();
    this.now = button('To the newest moment', 'forward', () => player.now(), 'End');
    this.now.replaceChildren('Now');
    this.now.classList.add('now');
    this.loop = button('Repeat', 'loop', () => this.setLoop(!player.loop));
    const steps = [
      button('A sample back', 'back', () => player.step(-1), '←'),
      this.play,
      button('A sample forward', 'forward', () => player.step(1), '→'),
    ];
    const first = mode === 'live'
      ? button('Reset the simulation and the view', 'reset', () => this.reset(), 'R')
      : button('To the beginning', 'start', () => player.seek(player.start), 'Home');
    bar.append(element('div', { class: 'buttons' }, first, ...steps), this.clock, this.line);
    const last = element('div', { class: 'buttons' });
    if (mode !== 'watch') last.append(this.speed);
    if (mode === 'replay') last.append(this.loop);
    else last.append(this.now);
    bar.append(last);
    this.setLoop(player.loop);
    viewer.onTurn.push(() => this.update());
    const live = player.live;
    if (live) {
      live.onStatus = () => {
        player.speed = live.status.speed;
        this.showSpeed(player.speed);
      };
    }
  }

  /** One speed up or down the list. */
  changeSpeed(direction: 1 | -1): void {
    const here = SPEEDS.findIndex((speed) => speed >= this.viewer.player.speed);
    const next = SPEEDS[here < 0 ? SPEEDS.length - 1 : Math.min(Math.max(here + direction, 0), SPEEDS.length - 1)];
    this.showSpeed(next);
    this.viewer.player.setSpeed(next);
  }

  reset(): void {
    this.viewer.player.live?.send({ do: 'reset' });
    this.viewer.player.now();
    this.viewer.resetCamera();
  }

  private setLoop(on: boolean): void {
    this.viewer.player.loop = on;
    this.loop.setAttribute('aria-pressed', String(on));
  }

  private makeLine(): HTMLInputElement {
    const line = element('input', { type: 'range', class: 'line', label: 'Time line' });
    line.step = 'any';
    line.addEventListener('input', () => {
      if (this.viewer.player.source.mode === 'replay' && !this.scrubbing) this.viewer.player.pause();
      this.scrubbing = true;
      this.viewer.player.seek(Number(line.value));
    });
    line.addEventListener('change', () => (this.scrubbing = false));
    return line;
  }

  private makeSpeed(): HTMLSelectElement {
    const select = element('select', { label: 'Speed', title: 'Speed (↑ ↓)' });
    for (const speed of SPEEDS) select.append(new Option(`${speed}×`, String(speed)));
    select.value = '1';
    select.addEventListener('change', () => this.viewer.player.setSpeed(Number(select.value)));
    return select;
  }

  /** A speed which others set may be one that the list lacks. */
  private showSpeed(speed: number): void {
    const value = String(speed);
    if (![...this.speed.options].some((option) => option.value === value)) this.speed.append(new Option(`${speed}×`, value));
    this.speed.value = value;
  }

  private update(): void {
    const player = this.viewer.player;
    const playing = player.playing;
    setIcon(this.play, playing ? 'pause' : 'play');
    const label = playing ? 'Pause' : 'Play';
    if (this.play.getAttribute('aria-label') !== label) this.play.setAttribute('aria-label', label);
    const [start, end] = [player.start, player.end];
    if (Number(this.line.min) !== start) this.line.min = String(start);
    if (Number(this.line.max) !== end) this.line.max = String(end);
    if (!this.scrubbing) this.line.value = String(player.time);
    const part = end > start ? (player.time - start) / (end - start) : 0;
    this.line.style.setProperty('--part', `${100 * part}%`);
    setText(this.clock, this.clockText(start, end));
    this.now.disabled = player.following;
  }

  private clockText(start: number, end: number): string {
    const player = this.viewer.player;
    const time = seconds(player.time, end - start);
    if (player.live) {
      const rate = player.live.status.rate;
      return player.source.mode === 'live' ? `${time} s · ${rate.toFixed(2)}×` : `${time} s`;
    }
    return `${time} / ${seconds(end, end - start)} s`;
  }
}
