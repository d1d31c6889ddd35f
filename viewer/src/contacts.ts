// Contacts: a dot at each point and an arrow for its force, coloured by whether it sticks or slips.

import {
  BufferGeometry, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, GreaterDepth, InstancedBufferAttribute, InstancedMesh,
  MeshBasicMaterial, MeshStandardMaterial, SphereGeometry, type Group, type Material,
} from 'three';
import { CONTACT, type Frame, type Scene } from './protocol';

const STICK = new Color(0x0fb5a2);
const SLIP = new Color(0xff7a1a);
const OTHER = new Color(0x8a94a3);
const SLIPS = 2;
const STICKS = 1;

const GHOST_OPACITY = 0.3;

/** Copies of one geometry whose number changes from frame to frame; room for more is made by doubling. */
class Swarm {
  private mesh: InstancedMesh;
  /** The same once more, faintly, where bodies hide it: most arrows begin inside of what they push. */
  private ghost: InstancedMesh | null = null;

  constructor(
    private readonly geometry: BufferGeometry,
    private readonly material: Material,
    private readonly parent: Group,
    private readonly ghostMaterial: Material | null = null,
  ) {
    this.mesh = this.build(64);
  }

  reserve(count: number): void {
    const room = this.mesh.instanceMatrix.count;
    if (count <= room) return;
    this.parent.remove(this.mesh);
    this.mesh.dispose();
    if (this.ghost) this.parent.remove(this.ghost);
    this.mesh = this.build(Math.max(count, 2 * room));
  }

  get matrices(): Float32Array {
    return this.mesh.instanceMatrix.array as Float32Array;
  }

  get colors(): Float32Array {
    return this.mesh.instanceColor!.array as Float32Array;
  }

  finish(count: number): void {
    this.mesh.count = count;
    this.mesh.visible = count > 0;
    if (this.ghost) {
      this.ghost.count = count;
      this.ghost.visible = count > 0;
    }
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
  }

  private build(room: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * room), 3).setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.count = 0;
    mesh.visible = false;
    this.parent.add(mesh);
    if (this.ghostMaterial) this.ghost = this.buildGhost(mesh, this.ghostMaterial);
    return mesh;
  }

  private buildGhost(mesh: InstancedMesh, material: Material): InstancedMesh {
    const ghost = new InstancedMesh(this.geometry, material, 0);
    ghost.instanceMatrix = mesh.instanceMatrix;
    ghost.instanceColor = mesh.instanceColor;
    ghost.frustumCulled = false;
    ghost.renderOrder = 5;
    ghost.visible = false;
    this.parent.add(ghost);
    return ghost;
  }
}

/** The matrix of a copy whose z axis goes along a unit vector, with a width and a length. */
export function writeAlong(
  out: Float32Array, to: number, px: number, py: number, pz: number, nx: number, ny: number, nz: number, width: number, length: number,
): void {
  // Any vector that is not along n gives a frame around it.
  const steep = Math.abs(nz) < 0.9;
  let ax = steep ? -ny : 0;
  let ay = steep ? nx : -nz;
  let az = steep ? 0 : ny;
  const norm = 1 / Math.sqrt(ax * ax + ay * ay + az * az);
  ax *= norm;
  ay *= norm;
  az *= norm;
  out[to] = width * ax;
  out[to + 1] = width * ay;
  out[to + 2] = width * az;
  out[to + 3] = 0;
  out[to + 4] = width * (ny * az - nz * ay);
  out[to + 5] = width * (nz * ax - nx * az);
  out[to + 6] = width * (nx * ay - ny * ax);
  out[to + 7] = 0;
  out[to + 8] = length * nx;
  out[to + 9] = length * ny;
  out[to + 10] = length * nz;
  out[to + 11] = 0;
  out[to + 12] = px;
  out[to + 13] = py;
  out[to + 14] = pz;
  out[to + 15] = 1;
}

/** Metres of arrow for a newton: a force as large as the weight of a usual body is about as long as half of this body. */
export function automaticScale(scene: Scene, bodySize: number): number {
  const masses = scene.bodies.filter((body) => body.moves && body.mass > 0).map((body) => body.mass);
  const mean = masses.length > 0 ? masses.reduce((sum, mass) => sum + mass, 0) / masses.length : 1;
  const gravity = Math.hypot(...scene.gravity) || 9.81;
  return bodySize / (mean * gravity);
}

/** About the length itself where it is short, and less than the longest however strong the force: the stronger is always the longer. */
function limited(length: number, longest: number): number {
  return longest * (1 - Math.exp(-length / longest));
}

export class Contacts {
  /** What the reader multiplies the automatic scale by. */
  scale = 1;
  showPoints = true;
  showForces = true;
  private readonly points: Swarm;
  private readonly shafts: Swarm;
  private readonly heads: Swarm;
  private readonly moves: boolean[];

  constructor(
    scene: Scene,
    private readonly bodySize: number,
    private readonly longest: number,
    private readonly metresPerNewton: number,
    parent: Group,
  ) {
    this.moves = scene.bodies.map((body) => body.moves);
    const flat = new MeshBasicMaterial();
    const round = new MeshStandardMaterial({ roughness: 0.5 });
    const ghost = new MeshBasicMaterial({ transparent: true, opacity: GHOST_OPACITY, depthFunc: GreaterDepth, depthWrite: false });
    this.points = new Swarm(new SphereGeometry(1, 10, 6), flat, parent);
    this.shafts = new Swarm(new CylinderGeometry(1, 1, 1, 8, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5), round, parent, ghost);
    this.heads = new Swarm(new ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), round, parent, ghost);
  }

  update(frame: Frame): void {
    const count = frame.contactCount;
    this.writePoints(frame, this.showPoints ? count : 0);
    this.writeArrows(frame, this.showForces ? count : 0);
  }

  private writePoints(frame: Frame, count: number): void {
    this.points.reserve(count);
    const { matrices, colors } = this.points;
    const c = frame.contacts;
    const radius = 0.06 * this.bodySize;
    for (let k = 0; k < count; ++k) {
      const at = CONTACT * k;
      writeAlong(matrices, 16 * k, c[at], c[at + 1], c[at + 2], 0, 0, 1, radius, radius);
      this.writeColor(c[at + 6], colors, 3 * k);
    }
    this.points.finish(count);
  }

  private writeArrows(frame: Frame, count: number): void {
    this.shafts.reserve(count);
    this.heads.reserve(count);
    const { matrices: shaftMatrices, colors: shaftColors } = this.shafts;
    const { matrices: headMatrices, colors: headColors } = this.heads;
    const c = frame.contacts;
    const width = 0.035 * this.bodySize;
    let arrows = 0;
    for (let k = 0; k < count; ++k) {
      const at = CONTACT * k;
      const force = Math.sqrt(c[at + 3] * c[at + 3] + c[at + 4] * c[at + 4] + c[at + 5] * c[at + 5]);
      const length = limited(force * this.metresPerNewton * this.scale, this.longest);
      if (!(length > width)) continue;
      // The force on the body that moves, where only one of them does.
      const unit = (this.moves[c[at + 8]] ? 1 : -1) / force;
      const nx = unit * c[at + 3];
      const ny = unit * c[at + 4];
      const nz = unit * c[at + 5];
      const head = Math.min(5 * width, 0.45 * length);
      const shaft = length - head;
      const x = c[at];
      const y = c[at + 1];
      const z = c[at + 2];
      writeAlong(shaftMatrices, 16 * arrows, x, y, z, nx, ny, nz, width, shaft);
      writeAlong(headMatrices, 16 * arrows, x + shaft * nx, y + shaft * ny, z + shaft * nz, nx, ny, nz, 0.42 * head + 0.2 * width, head);
      this.writeColor(c[at + 6], shaftColors, 3 * arrows);
      this.writeColor(c[at + 6], headColors, 3 * arrows);
      ++arrows;
    }
    this.shafts.finish(arrows);
    this.heads.finish(arrows);
  }

  private writeColor(mode: number, out: Float32Array, to: number): void {
    const color = mode === STICKS ? STICK : mode === SLIPS ? SLIP : OTHER;
    out[to] = color.r;
    out[to + 1] = color.g;
    out[to + 2] = color.b;
  }
}
