// Many copies of one geometry in one draw call, each carried by a body.

import { BufferGeometry, DynamicDrawUsage, InstancedMesh, type Material } from 'three';
import { AFFINE, multiplyToMatrix } from './transforms';

/** A copy's body, and its place in that body's frame. */
export interface Placed {
  body: number;
  local: Float32Array;
}

/** A geometry that shares another's vertices and may have attributes of its own for its instances. */
export function sharedGeometry(original: BufferGeometry): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const [name, attribute] of Object.entries(original.attributes)) geometry.setAttribute(name, attribute);
  geometry.setIndex(original.index);
  return geometry;
}

export class BodyInstances {
  readonly mesh: InstancedMesh;
  private readonly bodies: Int32Array;
  private readonly locals: Float32Array;

  constructor(geometry: BufferGeometry, material: Material, placed: Placed[]) {
    this.mesh = new InstancedMesh(geometry, material, placed.length);
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.bodies = Int32Array.from(placed, (one) => one.body);
    this.locals = new Float32Array(AFFINE * placed.length);
    placed.forEach((one, k) => this.locals.set(one.local, AFFINE * k));
  }

  /** Puts every copy where its body is. */
  update(bodyAffines: Float32Array): void {
    if (!this.mesh.visible) return;
    const matrices = this.mesh.instanceMatrix.array as Float32Array;
    for (let k = 0; k < this.bodies.length; ++k) {
      multiplyToMatrix(bodyAffines, AFFINE * this.bodies[k], this.locals, AFFINE * k, matrices, 16 * k);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

