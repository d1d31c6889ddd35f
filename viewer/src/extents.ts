// How large each body is, in its own frame, as far as it can be seen: a box around it, and the area that it covers when seen from
// somewhere, on average.

import { Box3, Matrix4, Vector3 } from 'three';
import type { MeshData } from './meshes';
import type { Body, Geometry, Scene } from './protocol';
import { affineOfPose, multiplyToMatrix } from './transforms';

const WORLD = affineOfPose([0, 0, 0, 1, 0, 0, 0]);

function halfSides(geometry: Geometry): [number, number, number] | null {
  switch (geometry.shape) {
    case 'sphere':
      return [geometry.radius, geometry.radius, geometry.radius];
    case 'ellipsoid':
      return geometry.radii;
    case 'box':
      return [geometry.size[0] / 2, geometry.size[1] / 2, geometry.size[2] / 2];
    case 'cylinder':
      return [geometry.radius, geometry.radius, geometry.length / 2];
    case 'capsule':
      return [geometry.radius, geometry.radius, geometry.length / 2 + geometry.radius];
    default:
      return null;
  }
}

function localBox(geometry: Geometry, meshes: Map<number, MeshData>): Box3 | null {
  if (geometry.shape === 'mesh') return new Box3().setFromArray(meshes.get(geometry.mesh)!.vertices);
  const half = halfSides(geometry);
  return half && new Box3(new Vector3(-half[0], -half[1], -half[2]), new Vector3(...half));
}

function boxSurface([x, y, z]: [number, number, number]): number {
  return 8 * (x * y + y * z + z * x);
}

function meshSurface(mesh: MeshData): number {
  const { vertices: p, triangles: t } = mesh;
  const [u, v] = [new Vector3(), new Vector3()];
  let sum = 0;
  for (let i = 0; i < t.length; i += 3) {
    const [a, b, c] = [3 * t[i], 3 * t[i + 1], 3 * t[i + 2]];
    u.set(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]);
    v.set(p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]);
    sum += u.cross(v).length() / 2;
  }
  return sum;
}

function surface(geometry: Geometry, meshes: Map<number, MeshData>): number {
  switch (geometry.shape) {
    case 'sphere':
      return 4 * Math.PI * geometry.radius ** 2;
    case 'ellipsoid': {
      // Knud Thomsen's formula, within 1.1 %.
      const [a, b, c] = geometry.radii.map((radius) => radius ** 1.6075);
      return 4 * Math.PI * ((a * b + b * c + c * a) / 3) ** (1 / 1.6075);
    }
    case 'cylinder':
      return 2 * Math.PI * geometry.radius * (geometry.radius + geometry.length);
    case 'capsule':
      return 2 * Math.PI * geometry.radius * (2 * geometry.radius + geometry.length);
    case 'box':
      return boxSurface(halfSides(geometry)!);
    case 'mesh':
      return meshSurface(meshes.get(geometry.mesh)!);
    case 'half_space':
      return 0;
  }
}

function placeOf(geometry: Geometry): Matrix4 {
  const elements = new Float32Array(16);
  multiplyToMatrix(WORLD, 0, affineOfPose(geometry.pose), 0, elements, 0);
  return new Matrix4().fromArray(elements);
}

export interface Extent {
  box: Box3;
  /** Of a ball around the box's middle that holds all of it too: a wheel is no larger when it turns. */
  radius: number;
  /** Mean area of its shadow: a quarter of the surface, as of any convex body (Cauchy). */
  shadow: number;
}

/** How far the farthest point of a geometry is from a point of its own frame, or a bound of it. */
function reach(geometry: Geometry, from: Vector3, meshes: Map<number, MeshData>): number {
  if (geometry.shape === 'mesh') {
    const p = meshes.get(geometry.mesh)!.vertices;
    let most = 0;
    for (let i = 0; i < p.length; i += 3) most = Math.max(most, (p[i] - from.x) ** 2 + (p[i + 1] - from.y) ** 2 + (p[i + 2] - from.z) ** 2);
    return Math.sqrt(most);
  }
  const half = halfSides(geometry) ?? [0, 0, 0];
  const round = geometry.shape === 'sphere' || geometry.shape === 'ellipsoid' || geometry.shape === 'capsule';
  return from.length() + (round ? Math.max(...half) : Math.hypot(...half));
}

/** Of what one sees of the body; where one sees nothing of it, of what collides. */
export function extentOf(body: Body, meshes: Map<number, MeshData>): Extent {
  const seen = body.geometry.some((geometry) => geometry.visible && geometry.shape !== 'half_space');
  const extent: Extent = { box: new Box3(), radius: 0, shadow: 0 };
  const shown = body.geometry.filter((geometry) => geometry.shape !== 'half_space' && (geometry.visible || !seen));
  const places = shown.map((geometry) => placeOf(geometry));
  shown.forEach((geometry, k) => {
    extent.box.union(localBox(geometry, meshes)!.applyMatrix4(places[k]));
    extent.shadow += surface(geometry, meshes) / 4;
  });
  if (extent.box.isEmpty()) return extent;
  const middle = extent.box.getCenter(new Vector3());
  const reaches = shown.map((geometry, k) => reach(geometry, middle.clone().applyMatrix4(places[k].clone().invert()), meshes));
  extent.radius = Math.max(...reaches);
  // Surfaces inside of others are not seen: no shadow is larger than that of the box around.
  const half = extent.box.getSize(new Vector3()).divideScalar(2).toArray();
  extent.shadow = Math.min(extent.shadow, boxSurface(half) / 4);
  return extent;
}

export function extentsOf(scene: Scene, meshes: Map<number, MeshData>): Extent[] {
  return scene.bodies.map((body) => extentOf(body, meshes));
}
