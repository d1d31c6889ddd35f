// What the page is told: the types of scene.json, and the decoding of frames. The document is docs/formats/viewer.md.

import { colorBodies } from './palette';

export type Vec3 = [number, number, number];
export type Rgba = [number, number, number, number];
/** Position, then a quaternion w, x, y, z. */
export type Pose = [number, number, number, number, number, number, number];
export type Mode = 'live' | 'watch' | 'replay';

interface GeometryBase {
  name: string;
  pose: Pose;
  /** In scene.json null where the file gives none; then the palette's. */
  color: Rgba;
  collides: boolean;
  visible: boolean;
}

export type Geometry = GeometryBase &
  (
    | { shape: 'half_space' }
    | { shape: 'sphere'; radius: number }
    | { shape: 'box'; size: Vec3 }
    | { shape: 'capsule'; radius: number; length: number }
    | { shape: 'cylinder'; radius: number; length: number }
    | { shape: 'ellipsoid'; radii: Vec3 }
    | { shape: 'mesh'; mesh: number }
  );

export interface Body {
  name: string;
  parent: number;
  mass: number;
  center: Vec3;
  moves: boolean;
  /** Moved as the scene prescribes, whatever pushes it. */
  driven: boolean;
  geometry: Geometry[];
}

export interface Joint {
  name: string;
  type: string;
  child: number;
  pose: Pose;
  axis: Vec3 | null;
}

export interface Actuator {
  name: string;
  type: string;
  range: [number | null, number | null] | null;
  control: number;
}

export interface NamedFrame {
  name: string;
  body: number;
  pose: Pose;
}

export interface MeshPart {
  first: number;
  count: number;
  color: Rgba;
}

export interface MeshInfo {
  vertices: number;
  triangles: number;
  parts: MeshPart[];
}

export interface Scene {
  format: number;
  name: string;
  mode: Mode;
  method: string;
  accuracy: number | null;
  gravity: Vec3;
  samples: number;
  bodies: Body[];
  joints: Joint[];
  actuators: Actuator[];
  frames: NamedFrame[];
  q_names: string[];
  v_names: string[];
  meshes: MeshInfo[];
  series: string[];
}

/** The curves which stand first in `series`, before those of q and v. */
export const Curve = { kinetic: 0, gravity: 1, elastic: 2, total: 3, step: 4, force: 5, contacts: 6, first_q: 7 } as const;

export const POSE = 7;
export const CONTACT = 9;

export interface Frame {
  time: number;
  step: number;
  kinetic: number;
  gravity: number;
  elastic: number;
  force: number;
  contactCount: number;
  poses: Float32Array;
  contacts: Float32Array;
  q: Float32Array;
  v: Float32Array;
  ctrl: Float32Array;
  bytes: number;
}

/** Trouble with the data that the reader of the page should be told in these words. */
export class DataError extends Error {}

const MAGIC = 0x31465353;
const HEADER_BYTES = 6 * 4 + 6 * 8;

export function decodeFrame(buffer: ArrayBuffer, offset = 0, length = buffer.byteLength - offset): Frame {
  if (length < HEADER_BYTES || offset + length > buffer.byteLength) throw new DataError('A frame of this recording is cut short.');
  const view = new DataView(buffer, offset, length);
  if (view.getUint32(0, true) !== MAGIC) throw new DataError('A frame does not begin as frames do (SSF1).');
  const bodies = view.getUint32(4, true);
  const contacts = view.getUint32(8, true);
  const nq = view.getUint32(12, true);
  const nv = view.getUint32(16, true);
  const nu = view.getUint32(20, true);
  const floats = POSE * bodies + CONTACT * contacts + nq + nv + nu;
  if (length < HEADER_BYTES + 4 * floats) throw new DataError('A frame is shorter than what it says it holds.');
  let at = offset + HEADER_BYTES;
  const take = (count: number): Float32Array => {
    const piece = new Float32Array(buffer, at, count);
    at += 4 * count;
    return piece;
  };
  return {
    time: view.getFloat64(24, true),
    step: view.getFloat64(32, true),
    kinetic: view.getFloat64(40, true),
    gravity: view.getFloat64(48, true),
    elastic: view.getFloat64(56, true),
    force: view.getFloat64(64, true),
    contactCount: contacts,
    poses: take(POSE * bodies),
    contacts: take(CONTACT * contacts),
    q: take(nq),
    v: take(nv),
    ctrl: take(nu),
    bytes: length,
  };
}

/** Decodes frames that follow each other, each after its size in bytes. */
export function decodeFrames(buffer: ArrayBuffer): Frame[] {
  const frames: Frame[] = [];
  const view = new DataView(buffer);
  let at = 0;
  while (at + 4 <= buffer.byteLength) {
    const size = view.getUint32(at, true);
    frames.push(decodeFrame(buffer, at + 4, size));
    at += 4 + size;
  }
  return frames;
}

export function curveValue(frame: Frame, curve: number): number {
  switch (curve) {
    case Curve.kinetic:
      return frame.kinetic;
    case Curve.gravity:
      return frame.gravity;
    case Curve.elastic:
      return frame.elastic;
    case Curve.total:
      return frame.kinetic + frame.gravity + frame.elastic;
    case Curve.step:
      return frame.step;
    case Curve.force:
      return frame.force;
    case Curve.contacts:
      return frame.contactCount;
  }
  const place = curve - Curve.first_q;
  return place < frame.q.length ? frame.q[place] : (frame.v[place - frame.q.length] ?? NaN);
}

/** Refuses what is not a scene of this format; lists that are left out become empty ones. */
export function readScene(text: string): Scene {
  let raw: Partial<Scene>;
  try {
    raw = JSON.parse(text) as Partial<Scene>;
  } catch {
    throw new DataError('The description of the scene is not readable JSON.');
  }
  if (raw === null || typeof raw !== 'object' || !Array.isArray(raw.bodies)) {
    throw new DataError('The description of the scene lists no bodies.');
  }
  if (raw.format !== 1) {
    throw new DataError(`This page reads scenes of format 1, and this one is of format ${String(raw.format)}.`);
  }
  const bodies = raw.bodies.map((body) => ({ ...body, driven: body.driven ?? false, geometry: body.geometry ?? [], center: body.center ?? [0, 0, 0] }));
  colorBodies(bodies);
  return {
    format: 1,
    name: raw.name ?? 'scene',
    mode: raw.mode ?? 'replay',
    method: raw.method ?? '',
    accuracy: raw.accuracy ?? null,
    gravity: raw.gravity ?? [0, 0, 0],
    samples: raw.samples ?? 0,
    bodies,
    joints: raw.joints ?? [],
    actuators: raw.actuators ?? [],
    frames: raw.frames ?? [],
    q_names: raw.q_names ?? [],
    v_names: raw.v_names ?? [],
    meshes: (raw.meshes ?? []).map((mesh) => ({ ...mesh, parts: mesh.parts ?? [] })),
    series: raw.series ?? [],
  };
}
