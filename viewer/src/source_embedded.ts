// A recording inside the page's own file: nothing is fetched, all frames are here from the beginning.

import { DataError, curveValue, decodeFrames, readScene, type Frame, type Mode, type Scene } from './protocol';
import { courseLength, type CurveData, type FrameSource } from './source';

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text.replace(/\s+/g, ''));
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

async function unpack(id: string): Promise<ArrayBuffer> {
  const element = document.getElementById(id);
  if (!element) throw new DataError(`This file lacks the part "${id}".`);
  try {
    const stream = new Blob([bytesOfBase64(element.textContent ?? '')]).stream();
    return await new Response(stream.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  } catch {
    throw new DataError(`The part "${id}" of this file is damaged: it does not unpack.`);
  }
}

export class EmbeddedSource implements FrameSource {
  readonly mode: Mode = 'replay';
  readonly trouble = '';

  private constructor(
    readonly scene: Scene,
    private readonly frames: Frame[],
  ) {}

  static isPresent(): boolean {
    return document.getElementById('stickslip-scene') !== null;
  }

  static async open(): Promise<EmbeddedSource> {
    const scene = readScene(document.getElementById('stickslip-scene')?.textContent ?? '');
    const frames = decodeFrames(await unpack('stickslip-frames'));
    if (frames.length === 0) throw new DataError('This recording holds no frames.');
    return new EmbeddedSource(scene, frames);
  }

  count(): number {
    return this.frames.length;
  }

  timeAt(index: number): number {
    return this.frames[index].time;
  }

  frameAt(index: number): Frame {
    return this.frames[index];
  }

  loadFrame(index: number): Promise<Frame> {
    return Promise.resolve(this.frames[index]);
  }

  loadCourse(): Promise<Frame[]> {
    const most = courseLength(this.scene.bodies.length, this.frames.length);
    const place = (k: number): number => Math.round((k * (this.frames.length - 1)) / Math.max(most - 1, 1));
    return Promise.resolve(Array.from({ length: most }, (_, k) => this.frames[place(k)]));
  }

  loadMesh(index: number): Promise<ArrayBuffer> {
    return unpack(`stickslip-mesh-${index}`);
  }

  loadCurve(curve: number): Promise<CurveData> {
    const times = Float64Array.from(this.frames, (frame) => frame.time);
    const values = Float32Array.from(this.frames, (frame) => curveValue(frame, curve));
    return Promise.resolve({ times, values });
  }
}
