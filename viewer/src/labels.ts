// Names of bodies over the scene. They are text in the page and nothing else, whatever characters they hold.

import { Vector3, type PerspectiveCamera } from 'three';
import { setText } from './dom';
import type { Scene, Vec3 } from './protocol';
import { AFFINE, transformPoint } from './transforms';

const MOST_LABELS = 120;
/** Room for one name among many: where a nearer one stands already, the next is left out. */
const ROOM_WIDTH = 84;
const ROOM_HEIGHT = 22;

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

  update(bodyAffines: Float32Array, camera: PerspectiveCamera): void {
    if (!this.visible) return;
    const crowded = this.named.length > MOST_LABELS;
    const bodies = crowded ? this.byDistance(bodyAffines, camera) : this.named;
    const [width, height] = [this.layer.clientWidth, this.layer.clientHeight];
    const taken = new Set<number>();
    let used = 0;
    for (const body of bodies) {
      if (used === MOST_LABELS) break;
      this.point.fromArray(this.centerOf(body, bodyAffines)).project(camera);
      if (Math.abs(this.point.z) > 1) continue;
      const x = ((this.point.x + 1) / 2) * width;
      const y = ((1 - this.point.y) / 2) * height;
      const room = Math.round(x / ROOM_WIDTH) + 1000 * Math.round(y / ROOM_HEIGHT);
      if (crowded && taken.has(room)) continue;
      taken.add(room);
      this.put(used++, this.scene.bodies[body].name, x, y);
    }
    for (let k = used; k < this.pool.length; ++k) this.pool[k].hidden = true;
  }

  private byDistance(bodyAffines: Float32Array, camera: PerspectiveCamera): number[] {
    const squares = new Float32Array(this.scene.bodies.length);
    for (const body of this.named) squares[body] = this.point.fromArray(this.centerOf(body, bodyAffines)).distanceToSquared(camera.position);
    return [...this.named].sort((a, b) => squares[a] - squares[b]);
  }

  private centerOf(body: number, bodyAffines: Float32Array): Vec3 {
    return transformPoint(bodyAffines, AFFINE * body, this.scene.bodies[body].center, this.place);
  }

  /** Puts a name a little above its place. */
  private put(k: number, name: string, x: number, y: number): void {
    if (!this.pool[k]) {
      this.pool[k] = document.createElement('span');
      this.layer.append(this.pool[k]);
    }
    const label = this.pool[k];
    label.hidden = false;
    setText(label, name);
    label.style.transform = `translate(${x}px, ${y}px) translate(-50%, -32px)`;
  }
}
