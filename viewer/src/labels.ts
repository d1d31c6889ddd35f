// Names of bodies over the scene. They are text in the page and nothing else, whatever characters they hold.

import { Vector3, type PerspectiveCamera } from 'three';
import type { Scene, Vec3 } from './protocol';
import { AFFINE, transformPoint } from './transforms';

const MOST_LABELS = 120;

export class Labels {
  private readonly pool: HTMLElement[] = [];
  private readonly named: number[];
  private visible = false;
  private readonly point = new Vector3();
  private readonly place: Vec3 = [0, 0, 0];

  constructor(
    private readonly scene: Scene,
    private readonly layer: HTMLElement,
  ) {
    this.named = scene.bodies.flatMap((body, number) => (number > 0 && body.name ? [number] : []));
  }

  show(on: boolean): void {
    this.visible = on;
    this.layer.hidden = !on;
  }

  /** Of many bodies the nearest ones have their names shown. */
  update(bodyAffines: Float32Array, camera: PerspectiveCamera): void {
    if (!this.visible) return;
    const near = this.nearest(bodyAffines, camera);
    const [width, height] = [this.layer.clientWidth, this.layer.clientHeight];
    near.forEach((body, k) => {
      const label = this.label(k);
      this.point.fromArray(this.centerOf(body, bodyAffines)).project(camera);
      label.hidden = Math.abs(this.point.z) > 1;
      if (label.textContent !== this.scene.bodies[body].name) label.textContent = this.scene.bodies[body].name;
      label.style.transform = `translate(${((this.point.x + 1) / 2) * width}px, ${((1 - this.point.y) / 2) * height}px) translate(-50%, -32px)`;
    });
    for (let k = near.length; k < this.pool.length; ++k) this.pool[k].hidden = true;
  }

  private nearest(bodyAffines: Float32Array, camera: PerspectiveCamera): number[] {
    if (this.named.length <= MOST_LABELS) return this.named;
    const squares = new Float32Array(this.scene.bodies.length);
    for (const body of this.named) squares[body] = this.point.fromArray(this.centerOf(body, bodyAffines)).distanceToSquared(camera.position);
    return [...this.named].sort((a, b) => squares[a] - squares[b]).slice(0, MOST_LABELS);
  }

  private centerOf(body: number, bodyAffines: Float32Array): Vec3 {
    return transformPoint(bodyAffines, AFFINE * body, this.scene.bodies[body].center, this.place);
  }

  private label(k: number): HTMLElement {
    if (!this.pool[k]) {
      this.pool[k] = document.createElement('span');
      this.layer.append(this.pool[k]);
    }
    return this.pool[k];
  }
}
