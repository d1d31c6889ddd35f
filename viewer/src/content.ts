// What the picture is about at an instant: the bodies that move, as a box along the axes of the picture.

import { Box3, Vector3 } from 'three';
import type { Bounds } from './bounds';
import { AFFINE } from './transforms';

/** Parts of the picture that what moves should cover, below which the camera comes closer, and below which bodies far from the others are left out. */
export const WANTED_COVERAGE = 0.025;
export const SMALL_COVERAGE = 0.02;
export const LEAST_COVERAGE = 0.0125;
/** More of its own frame than this nothing covers. */
const FULLEST = 0.8;

/** From where one looks, and how wide. */
export class Lens {
  /** Of unit length: from what is looked at to the camera. */
  readonly way = new Vector3(0, -1, 0);
  readonly right = new Vector3();
  readonly up = new Vector3();
  /** Half of the picture's width and height at a distance of one. */
  halfWidth = 1;
  halfHeight = 1;

  set(way: Vector3, fieldOfView: number, aspect: number): this {
    this.way.copy(way).normalize();
    this.right.set(-this.way.y, this.way.x, 0);
    if (this.right.lengthSq() < 1e-12) this.right.set(1, 0, 0);
    this.right.normalize();
    this.up.crossVectors(this.way, this.right);
    this.halfHeight = Math.tan((fieldOfView * Math.PI) / 360);
    this.halfWidth = this.halfHeight * aspect;
    return this;
  }

  get axes(): [Vector3, Vector3, Vector3] {
    return [this.right, this.up, this.way];
  }

  /** From how far a box is seen whole; its half sides are along the axes of the picture. */
  distanceFor(half: Vector3): number {
    return 1.05 * Math.max(half.x / this.halfWidth, half.y / this.halfHeight) + half.z;
  }

  coverage(shadow: number, distance: number): number {
    return shadow / (4 * distance * distance * this.halfWidth * this.halfHeight);
  }

  /** From how far something with this shadow covers this part of the picture. */
  distanceOf(shadow: number, coverage: number): number {
    return Math.sqrt(shadow / (4 * coverage * this.halfWidth * this.halfHeight));
  }
}

export interface Content {
  middle: Vector3;
  half: Vector3;
  shadow: number;
  /** How far its bodies went since the last look, on average. */
  shift: Vector3;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

/** Along the axes of the picture. */
export function halfOf(box: Box3, lens: Lens): { middle: Vector3; half: Vector3 } {
  const side = box.getSize(new Vector3()).divideScalar(2);
  const along = (axis: Vector3): number => Math.abs(axis.x) * side.x + Math.abs(axis.y) * side.y + Math.abs(axis.z) * side.z;
  return { middle: box.getCenter(new Vector3()), half: new Vector3(...lens.axes.map(along)) };
}

export class ContentFinder {
  private readonly bodies: number[];
  private readonly centers: Float64Array;
  private readonly before: Float64Array;
  private readonly halves: Float64Array;
  private readonly shadows: number[];
  private looked = false;

  constructor(private readonly bounds: Bounds) {
    const shown = bounds.extents.flatMap((extent, body) => (extent.box.isEmpty() ? [] : [body]));
    this.bodies = bounds.moving.length > 0 ? bounds.moving : shown;
    this.centers = new Float64Array(3 * this.bodies.length);
    this.before = new Float64Array(3 * this.bodies.length);
    this.halves = new Float64Array(3 * this.bodies.length);
    this.shadows = this.bodies.map((body) => bounds.extents[body].shadow);
  }

  /** Null where there is nothing to see, or nowhere. `seen`: the part of the shadows that really shows. */
  find(bodyAffines: Float32Array, lens: Lens, seen: number): Content | null {
    if (this.bodies.length === 0) return null;
    this.measure(bodyAffines, lens);
    const all = this.around(this.bodies.map((_, k) => k), lens);
    if (!Number.isFinite(all.middle.lengthSq() + all.half.lengthSq())) return null;
    if (this.showsEnough(all, lens, seen) || this.bodies.length === 1) return all;
    return this.withoutFarOnes(lens, seen);
  }

  /** What was looked at before is another run's. */
  forget(): void {
    this.looked = false;
  }

  private showsEnough(content: Content, lens: Lens, seen: number): boolean {
    return seen * lens.coverage(content.shadow, lens.distanceFor(content.half)) >= LEAST_COVERAGE;
  }

  private measure(bodyAffines: Float32Array, lens: Lens): void {
    this.before.set(this.centers);
    const axes = lens.axes;
    const [center, side] = [new Vector3(), new Vector3()];
    this.bodies.forEach((body, k) => {
      const at = AFFINE * body;
      const m = bodyAffines;
      const { box, radius } = this.bounds.extents[body];
      box.getCenter(center);
      box.getSize(side).divideScalar(2);
      for (let row = 0; row < 3; ++row) {
        this.centers[3 * k + row] = m[at + row] * center.x + m[at + 3 + row] * center.y + m[at + 6 + row] * center.z + m[at + 9 + row];
        const { x, y, z } = axes[row];
        const along = (column: number): number => Math.abs(x * m[at + column] + y * m[at + column + 1] + z * m[at + column + 2]);
        this.halves[3 * k + row] = Math.min(along(0) * side.x + along(3) * side.y + along(6) * side.z, radius);
      }
    });
    if (!this.looked) this.before.set(this.centers);
    this.looked = true;
  }

  /** The largest number of those nearest to the middle that together still show enough; one at least. */
  private withoutFarOnes(lens: Lens, seen: number): Content {
    const order = this.bodies.map((_, k) => k);
    const middle = [0, 1, 2].map((row) => median(order.map((k) => this.centers[3 * k + row])));
    const distance = order.map((k) => Math.hypot(...middle.map((x, row) => this.centers[3 * k + row] - x)) - this.halves[3 * k]);
    order.sort((a, b) => distance[a] - distance[b]);
    let [few, many] = [1, order.length];
    while (many - few > 1) {
      const count = (few + many) >> 1;
      if (this.showsEnough(this.around(order.slice(0, count), lens), lens, seen)) few = count;
      else many = count;
    }
    return this.around(order.slice(0, few), lens);
  }

  private around(members: number[], lens: Lens): Content {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const shift = new Vector3();
    const axes = lens.axes;
    let shadow = 0;
    for (const k of members) {
      const [x, y, z] = [this.centers[3 * k], this.centers[3 * k + 1], this.centers[3 * k + 2]];
      for (let row = 0; row < 3; ++row) {
        const place = axes[row].x * x + axes[row].y * y + axes[row].z * z;
        low[row] = Math.min(low[row], place - this.halves[3 * k + row]);
        high[row] = Math.max(high[row], place + this.halves[3 * k + row]);
      }
      shift.x += (x - this.before[3 * k]) / members.length;
      shift.y += (y - this.before[3 * k + 1]) / members.length;
      shift.z += (z - this.before[3 * k + 2]) / members.length;
      shadow += this.shadows[k];
    }
    const middle = new Vector3();
    axes.forEach((axis, row) => middle.addScaledVector(axis, (low[row] + high[row]) / 2));
    const half = new Vector3((high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2);
    return { middle, half, shadow: Math.min(shadow, FULLEST * 4 * half.x * half.y), shift };
  }
}
