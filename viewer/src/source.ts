// Where frames come from. The rest of the page does not know whether they are recorded, fetched, or made this moment.

import type { Frame, Mode, Scene } from './protocol';

export interface CurveData {
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

export interface FrameSource {
  readonly scene: Scene;
  readonly mode: Mode;
  /** What keeps frames from coming, in a sentence for the reader; empty when all is well. */
  readonly trouble: string;
  /** The samples that can be looked at now. */
  count(): number;
  timeAt(index: number): number;
  /** The frame if it is at hand; otherwise null, and it is on its way. */
  frameAt(index: number): Frame | null;
  loadFrame(index: number): Promise<Frame>;
  /** A recording's frames, evenly spread and few enough to look at all of them at once. */
  loadCourse(): Promise<Frame[]>;
  loadMesh(index: number): Promise<ArrayBuffer>;
  loadCurve(curve: number): Promise<CurveData>;
}

/** The last sample at or before a time; the first where there is none before. */
export function sampleAt(source: FrameSource, time: number): number {
  let low = 0;
  let high = source.count() - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (source.timeAt(middle) <= time) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

export function startTime(source: FrameSource): number {
  return source.count() > 0 ? source.timeAt(0) : 0;
}

export function endTime(source: FrameSource): number {
  return source.count() > 0 ? source.timeAt(source.count() - 1) : 0;
}

/** How many frames of a scene are looked at for the camera's course: a few for each second of what fits, with many bodies fewer. */
export function courseLength(bodies: number, count: number): number {
  return Math.min(count, Math.max(32, Math.min(1200, Math.floor(60000 / bodies))));
}
