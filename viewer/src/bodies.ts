// All that is solid in the scene, gathered into as few draw calls as there are kinds of shape.

import { BufferGeometry, Color, InstancedBufferAttribute, SRGBColorSpace, type Group, type Material, type MeshStandardMaterial, type Object3D } from 'three';
import { BodyInstances, sharedGeometry, type Placed } from './instances';
import { bodyMaterial, capsuleShadowMaterial, countingMaterial, seeThrough, type Bucket, type MaterialKind } from './materials';
import { layersOf, meshGeometry, type MeshData, type MeshLayer } from './meshes';
import type { Geometry, Rgba, Scene } from './protocol';
import { shapeInstance, unitGeometry, type UnitShape } from './shapes';
import { affineOfPose } from './transforms';

type Form = { unit: UnitShape } | { mesh: number; layer: MeshLayer };

interface Member extends Placed {
  color: Rgba;
  stretch: number;
  moves: boolean;
}

interface Kind {
  form: Form;
  bucket: Bucket;
  members: Member[];
}

const COLLISION_COLOR: Rgba = [0.95, 0.35, 0.55, 0.4];
const TRANSPARENT_OPACITY = 0.35;

function bucketOf(geometry: Geometry, clear: boolean): Bucket {
  if (!geometry.visible) return 'collision';
  return clear || geometry.color[3] < 1 ? 'transparent' : 'opaque';
}

/** Sorts every geometry under the draw call that will show it. */
function sortIntoKinds(scene: Scene): Kind[] {
  const kinds = new Map<string, Kind>();
  const add = (key: string, form: Form, bucket: Bucket, member: Member): void => {
    const name = `${key} ${bucket}`;
    const kind = kinds.get(name) ?? { form, bucket, members: [] };
    kind.members.push(member);
    kinds.set(name, kind);
  };
  scene.bodies.forEach((body, number) => {
    const moves = body.moves || body.driven;
    for (const geometry of body.geometry) {
      const color = geometry.visible ? geometry.color : COLLISION_COLOR;
      const shape = shapeInstance(geometry);
      if (shape) {
        const local = affineOfPose(geometry.pose, shape.scale);
        const member = { body: number, local, color, stretch: shape.stretch, moves };
        add(shape.unit, { unit: shape.unit }, bucketOf(geometry, false), member);
      } else if (geometry.shape === 'mesh') {
        const member = { body: number, local: affineOfPose(geometry.pose), color, stretch: 0, moves };
        for (const layer of layersOf(scene.meshes[geometry.mesh])) {
          add(`mesh ${geometry.mesh} ${layer}`, { mesh: geometry.mesh, layer }, bucketOf(geometry, layer === 'clear'), member);
        }
      }
    }
  });
  return [...kinds.values()];
}

function instanceColors(members: Member[]): InstancedBufferAttribute {
  const values = new Float32Array(3 * members.length);
  const color = new Color();
  members.forEach((member, k) => {
    color.setRGB(member.color[0], member.color[1], member.color[2], SRGBColorSpace).toArray(values, 3 * k);
  });
  return new InstancedBufferAttribute(values, 3);
}

/** Opacity, glow and stretch of each instance, and whether it moves. */
function instanceLooks(members: Member[]): InstancedBufferAttribute {
  const values = new Float32Array(4 * members.length);
  members.forEach((member, k) => values.set([member.color[3], 0, member.stretch, member.moves ? 1 : 0], 4 * k));
  return new InstancedBufferAttribute(values, 4);
}

/** One draw call. */
class BodyKind {
  readonly instances: BodyInstances;
  private readonly material: MeshStandardMaterial;
  private counting: Material | null = null;
  private readonly look: MaterialKind;
  private readonly looks: InstancedBufferAttribute;

  constructor(
    private readonly kind: Kind,
    original: BufferGeometry,
  ) {
    const capsule = 'unit' in kind.form && kind.form.unit === 'capsule';
    const geometry = sharedGeometry(original);
    this.looks = instanceLooks(kind.members);
    geometry.setAttribute('look', this.looks);
    this.look = { bucket: kind.bucket, capsule, parts: 'mesh' in kind.form };
    this.material = bodyMaterial(this.look);
    this.instances = new BodyInstances(geometry, this.material, kind.members);
    const mesh = this.instances.mesh;
    mesh.instanceColor = instanceColors(kind.members);
    mesh.castShadow = kind.bucket === 'opaque';
    mesh.receiveShadow = kind.bucket === 'opaque';
    mesh.visible = kind.bucket !== 'collision';
    if (capsule) mesh.customDepthMaterial = capsuleShadowMaterial();
  }

  get bucket(): Bucket {
    return this.kind.bucket;
  }

  select(body: number): void {
    this.kind.members.forEach((member, k) => this.looks.setY(k, member.body === body ? 1 : 0));
    this.looks.needsUpdate = true;
  }

  setTransparent(on: boolean): void {
    if (this.bucket !== 'opaque') return;
    this.material.transparent = on;
    this.material.opacity = on ? TRANSPARENT_OPACITY : 1;
    this.material.depthWrite = !on;
    this.material.needsUpdate = true;
  }

  setWireframe(on: boolean): void {
    this.material.wireframe = on;
  }

  setCounting(on: boolean): void {
    if (on) this.counting ??= countingMaterial(this.look);
    this.instances.mesh.material = on ? this.counting! : this.material;
  }
}

export class Bodies {
  private readonly kinds: BodyKind[];

  constructor(scene: Scene, meshes: Map<number, MeshData>, parent: Group) {
    this.kinds = sortIntoKinds(scene).map((kind) => {
      const form = kind.form;
      const geometry = 'unit' in form
        ? unitGeometry(form.unit, kind.members.length)
        : meshGeometry(meshes.get(form.mesh)!, scene.meshes[form.mesh], form.layer);
      return new BodyKind(kind, geometry);
    });
    for (const kind of this.kinds) parent.add(kind.instances.mesh);
  }

  update(bodyAffines: Float32Array): void {
    for (const kind of this.kinds) kind.instances.update(bodyAffines);
  }

  select(body: number): void {
    for (const kind of this.kinds) kind.select(body);
  }

  showCollision(on: boolean): void {
    for (const kind of this.kinds) if (kind.bucket === 'collision') kind.instances.mesh.visible = on;
  }

  setTransparent(on: boolean): void {
    seeThrough.value = on ? 1 : 0;
    for (const kind of this.kinds) kind.setTransparent(on);
  }

  setWireframe(on: boolean): void {
    for (const kind of this.kinds) kind.setWireframe(on);
  }

  /** Two colours for a while, and nothing else in the world: coverage.ts. */
  setCounting(on: boolean): void {
    for (const kind of this.kinds) kind.setCounting(on);
  }

  has(object: Object3D): boolean {
    return this.kinds.some((kind) => kind.instances.mesh === object);
  }
}
