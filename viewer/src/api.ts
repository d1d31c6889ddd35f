// What tests and makers of videos may ask of the page: window.stickslip.

import { Vector3 } from 'three';
import type { Mode, Vec3 } from './protocol';
import type { Viewer } from './viewer';

export interface PageState {
  time: number;
  playing: boolean;
  mode: Mode;
  selected: string | null;
  frames: number;
}

export class PageApi {
  readonly ready: Promise<void>;
  private viewer: Viewer | null = null;
  private resolve: () => void = () => {};
  private reject: (error: unknown) => void = () => {};

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // The page tells of a failure itself; this keeps the browser from telling of it a second time.
    this.ready.catch(() => {});
  }

  open(viewer: Viewer): void {
    this.viewer = viewer;
    void nextPicture().then(this.resolve);
  }

  fail(error: unknown): void {
    this.reject(error);
  }

  async seek(time: number): Promise<void> {
    await this.opened().seek(time);
    await nextPicture();
  }

  start(): number {
    return this.opened().player.start;
  }

  duration(): number {
    return this.opened().player.end - this.opened().player.start;
  }

  setCamera(place: { position: Vec3; target: Vec3 }): void {
    const viewer = this.opened();
    viewer.camera.put(place.position, place.target);
    viewer.redraw();
    viewer.refresh();
  }

  camera(): { position: Vec3; target: Vec3; automatic: boolean } {
    const { stage, camera } = this.opened();
    return { position: stage.camera.position.toArray(), target: camera.target.toArray(), automatic: camera.automatic };
  }

  hideChrome(on: boolean): void {
    document.body.classList.toggle('bare', on);
  }

  stats(): { drawCalls: number; scriptMilliseconds: number; renderMilliseconds: number } {
    const { drawCalls, scriptMilliseconds, renderMilliseconds } = this.opened();
    return { drawCalls, scriptMilliseconds, renderMilliseconds };
  }

  /** The part of the picture where a body that moves is seen. */
  coverage(): number {
    const viewer = this.opened();
    viewer.refresh();
    return viewer.coverage.count(216);
  }

  /** Where in the window the centre of mass of a body is, in CSS pixels. */
  bodyScreenPosition(which: string | number): [number, number] {
    const viewer = this.opened();
    const body = typeof which === 'number' ? which : viewer.scene.bodies.findIndex((one) => one.name === which);
    if (!viewer.scene.bodies[body]) throw new Error(`There is no body "${which}".`);
    const camera = viewer.stage.camera;
    camera.updateMatrixWorld();
    const point = new Vector3().copy(viewer.centerOf(body)).project(camera);
    const box = viewer.stage.canvas.getBoundingClientRect();
    return [box.left + ((point.x + 1) / 2) * box.width, box.top + ((1 - point.y) / 2) * box.height];
  }

  /** A number of what is shown: q, v or ctrl. */
  value(which: 'q' | 'v' | 'ctrl', index: number): number | null {
    return this.opened().frame?.[which][index] ?? null;
  }

  state(): PageState {
    const { player, scene, selected } = this.opened();
    return {
      time: player.time,
      playing: player.playing,
      mode: player.source.mode,
      selected: selected >= 0 ? scene.bodies[selected].name : null,
      frames: player.source.count(),
    };
  }

  private opened(): Viewer {
    if (!this.viewer) throw new Error('The page is not ready: await stickslip.ready first.');
    return this.viewer;
  }
}

/** After what is drawn now has come to the screen. */
export function nextPicture(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}
