// How large things are in the world now: what the camera fits into the picture, and the length that arrows and signs go by.

import { Box3, Vector3 } from 'three';
import { extentsOf, type Extent } from './extents';
import type { MeshData } from './meshes';
import type { Scene } from './protocol';
import { AFFINE } from './transforms';

/** Scenery that is so much larger than all that moves is left out of the picture's frame: it is ground, and goes on. */
const SCENERY_LIMIT = 6;

function halfDiagonal(box: Box3): number {
  return box.isEmpty() ? 0 : box.min.distanceTo(box.max) / 2;
}

export class Bounds {
  readonly extents: Extent[];
  /** The bodies that may change their place and that there is something of to see. */
  readonly moving: number[];
  /** Whether one of them hangs on nothing. */
  readonly free: boolean;

  constructor(
    private readonly scene: Scene,
    meshes: Map<number, MeshData>,
  ) {
    this.extents = extentsOf(scene, meshes);
    this.moving = scene.bodies.flatMap((body, number) => ((body.moves || body.driven) && !this.extents[number].box.isEmpty() ? [number] : []));
    const held = new Set(scene.joints.map((joint) => joint.child));
    this.free = this.moving.some((number) => scene.bodies[number].parent === 0 && !held.has(number));
  }

  /** The box around a body, along the axes of the world. */
  boxOf(number: number, bodyAffines: Float32Array): Box3 {
    const out = new Box3();
    const { box } = this.extents[number];
    if (box.isEmpty()) return out;
    const at = AFFINE * number;
    const center = box.getCenter(new Vector3());
    const half = box.getSize(new Vector3()).divideScalar(2);
    for (const [row, axis] of (['x', 'y', 'z'] as const).entries()) {
      const [a, b, c] = [bodyAffines[at + row], bodyAffines[at + 3 + row], bodyAffines[at + 6 + row]];
      const middle = a * center.x + b * center.y + c * center.z + bodyAffines[at + 9 + row];
      const reach = Math.abs(a) * half.x + Math.abs(b) * half.y + Math.abs(c) * half.z;
      out.min[axis] = middle - reach;
      out.max[axis] = middle + reach;
    }
    return out;
  }

  /** The box around all that moves, and around scenery of a like size. */
  whole(bodyAffines: Float32Array): Box3 {
    const whole = new Box3();
    const moving = new Set(this.moving);
    for (const body of moving) whole.union(this.boxOf(body, bodyAffines));
    const limit = whole.isEmpty() ? Infinity : SCENERY_LIMIT * halfDiagonal(whole);
    this.scene.bodies.forEach((_, number) => {
      if (moving.has(number)) return;
      const box = this.boxOf(number, bodyAffines);
      if (halfDiagonal(box) <= limit) whole.union(box);
    });
    return whole.isEmpty() ? new Box3(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5)) : whole;
  }

  radius(bodyAffines: Float32Array): number {
    return Math.max(halfDiagonal(this.whole(bodyAffines)), 1e-4);
  }

  /** The height of the lowest point of all bodies, or that of the ground. */
  lowest(bodyAffines: Float32Array): number {
    let lowest = 0;
    for (let body = 0; body < this.scene.bodies.length; ++body) lowest = Math.min(lowest, this.boxOf(body, bodyAffines).min.z);
    return lowest;
  }

  bodyRadius(number: number, bodyAffines: Float32Array): number {
    return halfDiagonal(this.boxOf(number, bodyAffines));
  }

  /** The radius of a body in the middle, by size, of those that move. */
  usualBody(bodyAffines: Float32Array): number {
    const sizes = this.moving.map((body) => this.bodyRadius(body, bodyAffines)).sort((a, b) => a - b);
    return sizes.length > 0 ? sizes[sizes.length >> 1] : this.radius(bodyAffines) / 4;
  }
}
