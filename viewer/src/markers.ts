// Signs that can be laid over the scene: frames of bodies and joints, joint axes, centres of mass.

import {
  BufferAttribute, BufferGeometry, CylinderGeometry, MeshBasicMaterial, SphereGeometry, type Group,
} from 'three';
import { BodyInstances, type Placed } from './instances';
import type { Pose, Scene, Vec3 } from './protocol';
import { affineOfPose, poseAlong } from './transforms';

const AXIS_COLORS: Vec3[] = [[0.9, 0.12, 0.12], [0.08, 0.62, 0.15], [0.1, 0.3, 0.95]];

/** Geometries put together into one, each in a colour: one draw call for a sign of several parts. */
function merge(pieces: { geometry: BufferGeometry; color: Vec3 }[]): BufferGeometry {
  const positions: number[] = [];
  const colors: number[] = [];
  for (const piece of pieces) {
    const flat = piece.geometry.toNonIndexed();
    const position = flat.getAttribute('position');
    for (let k = 0; k < position.count; ++k) {
      positions.push(position.getX(k), position.getY(k), position.getZ(k));
      colors.push(...piece.color);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(colors), 3));
  return geometry;
}

function axesGeometry(): BufferGeometry {
  const arm = () => new CylinderGeometry(0.025, 0.025, 1, 8).translate(0, 0.5, 0);
  return merge([
    { geometry: arm().rotateZ(-Math.PI / 2), color: AXIS_COLORS[0] },
    { geometry: arm(), color: AXIS_COLORS[1] },
    { geometry: arm().rotateX(Math.PI / 2), color: AXIS_COLORS[2] },
  ]);
}

function axisGeometry(): BufferGeometry {
  return merge([{ geometry: new CylinderGeometry(0.03, 0.03, 2, 10).rotateX(Math.PI / 2), color: [0.95, 0.7, 0.1] }]);
}

/** The sign of the centre of mass: a ball, its eight parts in turn dark and light. */
function massGeometry(): BufferGeometry {
  const pieces = [];
  for (let part = 0; part < 8; ++part) {
    const upper = part < 4;
    const color: Vec3 = (part + (upper ? 0 : 1)) % 2 === 0 ? [0.02, 0.02, 0.03] : [0.95, 0.75, 0.05];
    const start = (part % 4) * (Math.PI / 2);
    pieces.push({ geometry: new SphereGeometry(1, 5, 5, start, Math.PI / 2, upper ? 0 : Math.PI / 2, Math.PI / 2), color });
  }
  return merge(pieces);
}

export type MarkerName = 'bodyFrames' | 'jointFrames' | 'centers';

export class Markers {
  private readonly groups: Record<MarkerName, BodyInstances[]>;

  constructor(scene: Scene, size: number, parent: Group) {
    const frame = (body: number, pose: Pose, length: number): Placed => ({ body, local: affineOfPose(pose, [length, length, length]) });
    const identity: Pose = [0, 0, 0, 1, 0, 0, 0];
    const bodyFrames = scene.bodies.map((_, number) => frame(number, identity, size));
    const namedFrames = scene.frames.map((named) => frame(named.body, named.pose, 0.6 * size));
    const jointFrames = scene.joints.map((joint) => frame(joint.child, joint.pose, 0.7 * size));
    const axes = scene.joints.flatMap((joint) => (joint.axis ? [frame(joint.child, poseAlong(joint.pose, joint.axis), 1.1 * size)] : []));
    const centers = scene.bodies.flatMap((body, number) =>
      body.moves && body.mass > 0 ? [frame(number, [...body.center, 1, 0, 0, 0], 0.12 * size)] : [],
    );
    const build = (geometry: BufferGeometry, placed: Placed[]): BodyInstances[] => {
      if (placed.length === 0) return [];
      const material = new MeshBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
      const instances = new BodyInstances(geometry, material, placed);
      instances.mesh.renderOrder = 10;
      instances.mesh.visible = false;
      parent.add(instances.mesh);
      return [instances];
    };
    this.groups = {
      bodyFrames: build(axesGeometry(), [...bodyFrames, ...namedFrames]),
      jointFrames: [...build(axesGeometry(), jointFrames), ...build(axisGeometry(), axes)],
      centers: build(massGeometry(), centers),
    };
  }

  show(name: MarkerName, on: boolean): void {
    for (const group of this.groups[name]) group.mesh.visible = on;
  }

  update(bodyAffines: Float32Array): void {
    for (const group of Object.values(this.groups).flat()) group.update(bodyAffines);
  }
}
