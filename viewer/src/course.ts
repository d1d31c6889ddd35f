// Where the camera goes in a recording: planned beforehand, since the whole run is known, and the same however one comes to a time.

import { Box3, Vector3 } from 'three';
import type { Bounds } from './bounds';
import type { Director } from './director';
import { POSE, type Frame } from './protocol';
import { AFFINE, placeBodies } from './transforms';

export class Course {
  private readonly targets: Vector3[] = [];
  private readonly distances: number[] = [];
  private readonly affines: Float32Array;

  constructor(
    /** Frames of the run, in order and evenly spread. */
    readonly samples: Frame[],
    private readonly bounds: Bounds,
  ) {
    this.affines = new Float32Array((samples[0].poses.length / POSE) * AFFINE);
  }

  plan(director: Director): void {
    this.targets.length = this.distances.length = 0;
    if (this.standStill(director)) return;
    this.samples.forEach((sample, k) => {
      const affines = this.affinesOf(sample);
      const again = k > 0 && sample.time < this.samples[k - 1].time;
      if (k === 0 || again) director.begin(affines, sample.time, this.bounds.whole(affines));
      else director.see(affines, sample.time);
      this.targets.push(director.target.clone());
      this.distances.push(director.distance);
    });
  }

  /** Where the camera is to look at a time, and from how far. */
  at(time: number): { target: Vector3; distance: number } {
    let [low, high] = [0, this.targets.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.samples[middle].time <= time) low = middle;
      else high = middle;
    }
    const span = this.samples[high].time - this.samples[low].time;
    const part = span > 0 ? Math.min(Math.max((time - this.samples[low].time) / span, 0), 1) : 0;
    return {
      target: this.targets[low].clone().lerp(this.targets[high], part),
      distance: this.distances[low] + part * (this.distances[high] - this.distances[low]),
    };
  }

  /** One place for the whole run is best, where all that will be seen is large enough from there. */
  private standStill(director: Director): boolean {
    const whole = new Box3();
    for (const sample of this.samples) whole.union(this.bounds.whole(this.affinesOf(sample)));
    if (!director.fits(whole)) return false;
    if (!this.samples.every((sample) => director.isLargeEnough(this.affinesOf(sample)))) return false;
    for (const _ of this.samples) {
      this.targets.push(director.target.clone());
      this.distances.push(director.distance);
    }
    return true;
  }

  private affinesOf(sample: Frame): Float32Array {
    placeBodies(sample.poses, this.affines);
    return this.affines;
  }
}
