// How large things are: what the camera fits into the picture, and the length that arrows and signs go by.

import { Box3, Matrix4, Vector3 } from 'three';
import type { Ball } from './camera';
import type { MeshData } from './meshes';
import type { Body, Geometry, Scene } from './protocol';
import { AFFINE, affineOfPose, multiplyToMatrix } from './transforms';

/** Scenery that is so much larger than all that moves is left out of the picture's frame: it is ground, and goes on. */
const SCENERY_LIMIT = 6;

function localBox(geometry: Geometry, meshes: Map<number, MeshData>): Box3 | null {
  const around = (x: number, y: number, z: number): Box3 => new Box3(new Vector3(-x, -y, -z), new Vector3(x, y, z));
  switch (geometry.shape) {
    case 'sphere':
      return around(geometry.radius, geometry.radius, geometry.radius);
    case 'ellipsoid':
      return around(...geometry.radii);
    case 'box':
      return around(geometry.size[0] / 2, geometry.size[1] / 2, geometry.size[2] / 2);
    case 'cylinder':
      return around(geometry.radius, geometry.radius, geometry.length / 2);
    case 'capsule':
      return around(geometry.radius, geometry.radius, geometry.length / 2 + geometry.radius);
    case 'mesh':
      return new Box3().setFromArray(meshes.get(geometry.mesh)!.vertices);
    case 'half_space':
      return null;
  }
}

function bodyBox(body: Body, number: number, bodyAffines: Float32Array, meshes: Map<number, MeshData>): Box3 {
  const box = new Box3();
  const matrix = new Matrix4();
  const elements = new Float32Array(16);
  for (const geometry of body.geometry) {
    const local = localBox(geometry, meshes);
    if (!local) continue;
    multiplyToMatrix(bodyAffines, AFFINE * number, affineOfPose(geometry.pose), 0, elements, 0);
    box.union(local.applyMatrix4(matrix.fromArray(elements)));
  }
  return box;
}

/** A ball around balls. */
export function around(balls: Ball[]): Ball {
  const box = new Box3().setFromPoints(balls.map((ball) => ball.center));
  const center = box.getCenter(new Vector3());
  return { center, radius: Math.max(...balls.map((ball) => ball.center.distanceTo(center) + ball.radius)) };
}

function halfDiagonal(box: Box3): number {
  return box.isEmpty() ? 0 : box.min.distanceTo(box.max) / 2;
}

export class Bounds {
  constructor(
    private readonly scene: Scene,
    private readonly meshes: Map<number, MeshData>,
  ) {}

  /** A ball around all that moves, and around scenery of a like size. */
  whole(bodyAffines: Float32Array): Ball {
    const moving = new Box3();
    const still: Box3[] = [];
    this.scene.bodies.forEach((body, number) => {
      const box = bodyBox(body, number, bodyAffines, this.meshes);
      if (box.isEmpty()) return;
      if (body.moves) moving.union(box);
      else still.push(box);
    });
    const limit = moving.isEmpty() ? Infinity : SCENERY_LIMIT * halfDiagonal(moving);
    for (const box of still) if (halfDiagonal(box) <= limit) moving.union(box);
    if (moving.isEmpty()) return { center: new Vector3(), radius: 1 };
    return { center: moving.getCenter(new Vector3()), radius: Math.max(halfDiagonal(moving), 1e-4) };
  }

  /** The height of the lowest point of all bodies, or that of the ground. */
  lowest(bodyAffines: Float32Array): number {
    const heights = this.scene.bodies.map((body, number) => bodyBox(body, number, bodyAffines, this.meshes).min.z);
    return Math.min(0, ...heights.filter((height) => Number.isFinite(height)));
  }

  bodyRadius(number: number, bodyAffines: Float32Array): number {
    return halfDiagonal(bodyBox(this.scene.bodies[number], number, bodyAffines, this.meshes));
  }

  /** The radius of a body in the middle, by size, of those that move. */
  usualBody(bodyAffines: Float32Array): number {
    const sizes = this.scene.bodies
      .flatMap((body, number) => (body.moves ? [this.bodyRadius(number, bodyAffines)] : []))
      .filter((size) => size > 0)
      .sort((a, b) => a - b);
    return sizes.length > 0 ? sizes[sizes.length >> 1] : this.whole(bodyAffines).radius / 4;
  }
}
