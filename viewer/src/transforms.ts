// Affine transforms as twelve numbers: three columns of the linear part, then the translation. Written in place, nothing allocated.

import { POSE, type Pose, type Vec3 } from './protocol';

export const AFFINE = 12;

/** Writes the transform of a pose, its columns multiplied by a scale. */
export function poseToAffine(
  pose: ArrayLike<number>, from: number, out: Float32Array, to: number, sx = 1, sy = 1, sz = 1,
): void {
  const w = pose[from + 3];
  const x = pose[from + 4];
  const y = pose[from + 5];
  const z = pose[from + 6];
  out[to] = sx * (1 - 2 * (y * y + z * z));
  out[to + 1] = sx * 2 * (x * y + w * z);
  out[to + 2] = sx * 2 * (x * z - w * y);
  out[to + 3] = sy * 2 * (x * y - w * z);
  out[to + 4] = sy * (1 - 2 * (x * x + z * z));
  out[to + 5] = sy * 2 * (y * z + w * x);
  out[to + 6] = sz * 2 * (x * z + w * y);
  out[to + 7] = sz * 2 * (y * z - w * x);
  out[to + 8] = sz * (1 - 2 * (x * x + y * y));
  out[to + 9] = pose[from];
  out[to + 10] = pose[from + 1];
  out[to + 11] = pose[from + 2];
}

/** The transforms of all bodies, from their poses. */
export function placeBodies(poses: Float32Array, out: Float32Array): void {
  for (let body = 0; POSE * body < poses.length; ++body) poseToAffine(poses, POSE * body, out, AFFINE * body);
}

/** Writes a * b as a 4 x 4 matrix by columns, as the graphics card wants it. */
export function multiplyToMatrix(
  a: Float32Array, ai: number, b: Float32Array, bi: number, out: Float32Array, to: number,
): void {
  for (let column = 0; column < 4; ++column) {
    const x = b[bi + 3 * column];
    const y = b[bi + 3 * column + 1];
    const z = b[bi + 3 * column + 2];
    const o = to + 4 * column;
    out[o] = a[ai] * x + a[ai + 3] * y + a[ai + 6] * z;
    out[o + 1] = a[ai + 1] * x + a[ai + 4] * y + a[ai + 7] * z;
    out[o + 2] = a[ai + 2] * x + a[ai + 5] * y + a[ai + 8] * z;
    out[o + 3] = 0;
  }
  out[to + 12] += a[ai + 9];
  out[to + 13] += a[ai + 10];
  out[to + 14] += a[ai + 11];
  out[to + 15] = 1;
}

/** The point of a body's frame in the world. */
export function transformPoint(a: Float32Array, ai: number, point: ArrayLike<number>, out: Vec3): Vec3 {
  const [x, y, z] = [point[0], point[1], point[2]];
  out[0] = a[ai] * x + a[ai + 3] * y + a[ai + 6] * z + a[ai + 9];
  out[1] = a[ai + 1] * x + a[ai + 4] * y + a[ai + 7] * z + a[ai + 10];
  out[2] = a[ai + 2] * x + a[ai + 5] * y + a[ai + 8] * z + a[ai + 11];
  return out;
}

/** The vector of the world in a frame whose columns are orthonormal. */
export function rotateBack(a: Float32Array, ai: number, v: ArrayLike<number>, out: Vec3): Vec3 {
  const [x, y, z] = [v[0], v[1], v[2]];
  out[0] = a[ai] * x + a[ai + 1] * y + a[ai + 2] * z;
  out[1] = a[ai + 3] * x + a[ai + 4] * y + a[ai + 5] * z;
  out[2] = a[ai + 6] * x + a[ai + 7] * y + a[ai + 8] * z;
  return out;
}

export function transformPointBack(a: Float32Array, ai: number, point: ArrayLike<number>, out: Vec3): Vec3 {
  return rotateBack(a, ai, [point[0] - a[ai + 9], point[1] - a[ai + 10], point[2] - a[ai + 11]], out);
}

export function affineOfPose(pose: Pose, scale: Vec3 = [1, 1, 1]): Float32Array {
  const out = new Float32Array(AFFINE);
  poseToAffine(pose, 0, out, 0, scale[0], scale[1], scale[2]);
  return out;
}

/** A pose at a point whose z axis is along a direction. */
export function poseAlong(point: ArrayLike<number>, direction: Vec3): Pose {
  const length = Math.hypot(...direction) || 1;
  const [x, y, z] = [direction[0] / length, direction[1] / length, direction[2] / length];
  if (z < -0.999999) return [point[0], point[1], point[2], 0, 1, 0, 0];
  const w = Math.sqrt((1 + z) / 2);
  return [point[0], point[1], point[2], w, -y / (2 * w), x / (2 * w), 0];
}

/** Poses between two samples: positions on a line, turns on the shorter arc. */
export function interpolatePoses(a: Float32Array, b: Float32Array, s: number, out: Float32Array): void {
  for (let i = 0; i < out.length; i += POSE) {
    for (let k = 0; k < 3; ++k) out[i + k] = a[i + k] + s * (b[i + k] - a[i + k]);
    let dot = a[i + 3] * b[i + 3] + a[i + 4] * b[i + 4] + a[i + 5] * b[i + 5] + a[i + 6] * b[i + 6];
    const sign = dot < 0 ? -1 : 1;
    dot *= sign;
    let wa = 1 - s;
    let wb = s;
    if (dot < 0.9995) {
      const angle = Math.acos(dot);
      const sine = Math.sin(angle);
      wa = Math.sin((1 - s) * angle) / sine;
      wb = Math.sin(s * angle) / sine;
    }
    wb *= sign;
    let norm = 0;
    for (let k = 3; k < POSE; ++k) {
      const value = wa * a[i + k] + wb * b[i + k];
      out[i + k] = value;
      norm += value * value;
    }
    const scale = norm > 0 ? 1 / Math.sqrt(norm) : 1;
    for (let k = 3; k < POSE; ++k) out[i + k] *= scale;
  }
}
