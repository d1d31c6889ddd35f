// Which body lies under the pointer. Shapes are hit by formula, in their own frames; only meshes go through their triangles.

import { Raycaster, Vector2, type Camera } from 'three';
import type { MeshData } from './meshes';
import type { Geometry, Scene, Vec3 } from './protocol';
import { AFFINE, affineOfPose, rotateBack, transformPoint, transformPointBack } from './transforms';

export interface Hit {
  body: number;
  /** In the body's frame. */
  local: Vec3;
  /** In the world. */
  point: Vec3;
  distance: number;
}

/** The first root t >= 0 of a t^2 + 2 b t + c. */
function firstRoot(a: number, b: number, c: number): number {
  const d = b * b - a * c;
  if (d < 0 || a === 0) return Infinity;
  const root = Math.sqrt(d);
  const near = (-b - root) / a;
  if (near >= 0) return near;
  const far = (-b + root) / a;
  return far >= 0 ? far : Infinity;
}

function hitEllipsoid(o: Vec3, d: Vec3, radii: Vec3): number {
  let [a, b, c] = [0, 0, -1];
  for (let k = 0; k < 3; ++k) {
    a += (d[k] / radii[k]) ** 2;
    b += (d[k] * o[k]) / radii[k] ** 2;
    c += (o[k] / radii[k]) ** 2;
  }
  return firstRoot(a, b, c);
}

function hitBox(o: Vec3, d: Vec3, size: Vec3): number {
  let [enter, leave] = [0, Infinity];
  for (let k = 0; k < 3; ++k) {
    const [one, two] = [(-size[k] / 2 - o[k]) / d[k], (size[k] / 2 - o[k]) / d[k]];
    if (Number.isNaN(one) || Number.isNaN(two)) continue;
    enter = Math.max(enter, Math.min(one, two));
    leave = Math.min(leave, Math.max(one, two));
  }
  return enter <= leave ? enter : Infinity;
}

/** The side of a cylinder along z, without its ends. */
function hitSide(o: Vec3, d: Vec3, radius: number, half: number): number {
  const t = firstRoot(d[0] ** 2 + d[1] ** 2, d[0] * o[0] + d[1] * o[1], o[0] ** 2 + o[1] ** 2 - radius ** 2);
  return Math.abs(o[2] + t * d[2]) <= half ? t : Infinity;
}

function hitDisc(o: Vec3, d: Vec3, radius: number, z: number): number {
  const t = (z - o[2]) / d[2];
  const inside = (o[0] + t * d[0]) ** 2 + (o[1] + t * d[1]) ** 2 <= radius ** 2;
  return t >= 0 && inside ? t : Infinity;
}

function hitBall(o: Vec3, d: Vec3, radius: number, z: number): number {
  return hitEllipsoid([o[0], o[1], o[2] - z], d, [radius, radius, radius]);
}

function hitMesh(o: Vec3, d: Vec3, mesh: MeshData): number {
  if (hitBall(o, d, mesh.radius, 0) === Infinity) return Infinity;
  const { vertices: p, triangles: t } = mesh;
  let best = Infinity;
  for (let i = 0; i < t.length; i += 3) {
    const [a, b, c] = [3 * t[i], 3 * t[i + 1], 3 * t[i + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [hx, hy, hz] = [d[1] * vz - d[2] * vy, d[2] * vx - d[0] * vz, d[0] * vy - d[1] * vx];
    const determinant = ux * hx + uy * hy + uz * hz;
    if (Math.abs(determinant) < 1e-20) continue;
    const [sx, sy, sz] = [o[0] - p[a], o[1] - p[a + 1], o[2] - p[a + 2]];
    const first = (sx * hx + sy * hy + sz * hz) / determinant;
    if (first < 0 || first > 1) continue;
    const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
    const second = (d[0] * qx + d[1] * qy + d[2] * qz) / determinant;
    if (second < 0 || first + second > 1) continue;
    const distance = (vx * qx + vy * qy + vz * qz) / determinant;
    if (distance >= 0 && distance < best) best = distance;
  }
  return best;
}

function hitGeometry(o: Vec3, d: Vec3, geometry: Geometry, meshes: Map<number, MeshData>): number {
  switch (geometry.shape) {
    case 'sphere':
      return hitBall(o, d, geometry.radius, 0);
    case 'ellipsoid':
      return hitEllipsoid(o, d, geometry.radii);
    case 'box':
      return hitBox(o, d, geometry.size);
    case 'cylinder': {
      const half = geometry.length / 2;
      return Math.min(hitSide(o, d, geometry.radius, half), hitDisc(o, d, geometry.radius, half), hitDisc(o, d, geometry.radius, -half));
    }
    case 'capsule': {
      const half = geometry.length / 2;
      return Math.min(hitSide(o, d, geometry.radius, half), hitBall(o, d, geometry.radius, half), hitBall(o, d, geometry.radius, -half));
    }
    case 'mesh':
      return hitMesh(o, d, meshes.get(geometry.mesh)!);
    case 'half_space':
      return hitHalfSpace(o, d);
  }
}

/** Only from above: a wall that one looks through from behind is no hindrance. */
function hitHalfSpace(o: Vec3, d: Vec3): number {
  return o[2] > 0 && d[2] < 0 ? -o[2] / d[2] : Infinity;
}

export class Picker {
  includeCollision = false;
  private readonly raycaster = new Raycaster();
  private readonly frames: Float32Array[][];

  constructor(
    private readonly scene: Scene,
    private readonly meshes: Map<number, MeshData>,
  ) {
    this.frames = scene.bodies.map((body) => body.geometry.map((geometry) => affineOfPose(geometry.pose)));
  }

  /** The nearest hit at a point of the canvas, whose coordinates go from -1 to 1. */
  pick(x: number, y: number, camera: Camera, bodyAffines: Float32Array): Hit | null {
    this.raycaster.setFromCamera(new Vector2(x, y), camera);
    const origin = this.raycaster.ray.origin.toArray();
    const way = this.raycaster.ray.direction.toArray();
    let [best, bestBody] = [Infinity, -1];
    this.scene.bodies.forEach((body, number) => {
      const o = transformPointBack(bodyAffines, AFFINE * number, origin, [0, 0, 0]);
      const d = rotateBack(bodyAffines, AFFINE * number, way, [0, 0, 0]);
      body.geometry.forEach((geometry, k) => {
        if (!geometry.visible && !this.includeCollision) return;
        const frame = this.frames[number][k];
        const t = hitGeometry(transformPointBack(frame, 0, o, [0, 0, 0]), rotateBack(frame, 0, d, [0, 0, 0]), geometry, this.meshes);
        if (t < best) [best, bestBody] = [t, number];
      });
    });
    if (bestBody < 0) return null;
    const point: Vec3 = [origin[0] + best * way[0], origin[1] + best * way[1], origin[2] + best * way[2]];
    return { body: bestBody, point, local: transformPointBack(bodyAffines, AFFINE * bestBody, point, [0, 0, 0]), distance: best };
  }
}

/** The point of a body's frame as it is in the world now. */
export function worldPoint(bodyAffines: Float32Array, body: number, local: Vec3): Vec3 {
  return transformPoint(bodyAffines, AFFINE * body, local, [0, 0, 0]);
}
