// The time that is looked at: it runs in a recording, and keeps to the newest frame of a simulation until one looks back.

import type { Frame } from './protocol';
import { endTime, sampleAt, startTime, type FrameSource } from './source';
import { LiveSource } from './source_live';
import { interpolatePoses } from './transforms';

export class Player {
  time: number;
  speed = 1;
  loop = true;
  /** Live: whether the newest frame is shown. */
  following: boolean;
  private running = false;

  constructor(readonly source: FrameSource) {
    this.time = startTime(source);
    this.following = source.mode !== 'replay';
  }

  get live(): LiveSource | null {
    return this.source instanceof LiveSource ? this.source : null;
  }

  get playing(): boolean {
    if (this.source.mode === 'live') return this.live!.status.playing && this.following;
    return this.source.mode === 'watch' ? this.following : this.running;
  }

  get start(): number {
    return startTime(this.source);
  }

  get end(): number {
    return endTime(this.source);
  }

  play(): void {
    if (this.source.mode === 'replay') {
      if (this.time >= this.end) this.time = this.start;
      this.running = true;
    } else {
      this.following = true;
      this.live!.send({ do: 'play' });
    }
  }

  pause(): void {
    this.running = false;
    if (this.source.mode === 'watch') this.following = false;
    this.live?.send({ do: 'pause' });
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.following = this.source.mode !== 'replay' && this.time >= this.end;
  }

  /** To the next sample or the one before; beyond the newest one of a live simulation, it makes a step. */
  step(direction: 1 | -1): void {
    if (direction > 0 && this.following && this.source.mode === 'live') {
      this.live!.send({ do: 'step' });
      return;
    }
    this.running = false;
    const here = sampleAt(this.source, this.time);
    const between = direction < 0 && this.time > this.source.timeAt(here);
    const next = between ? here : here + direction;
    if (next >= 0 && next < this.source.count()) this.seek(this.source.timeAt(next));
  }

  now(): void {
    this.following = true;
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.live?.send({ do: 'speed', value: speed });
  }

  advance(seconds: number): void {
    if (this.source.mode !== 'replay') {
      this.time = this.following ? this.end : Math.max(this.time, this.start);
      return;
    }
    if (!this.running) return;
    let next = this.time + seconds * this.speed;
    if (next > this.end) {
      next = this.loop ? this.start : this.end;
      this.running = this.loop;
    }
    // Frames that are still on their way are waited for.
    if (this.source.frameAt(sampleAt(this.source, next))) this.time = next;
  }

  /** Writes the poses of this time and returns the frame at or before it; null if it is not here yet. */
  sample(poses: Float32Array): Frame | null {
    if (this.source.count() === 0) return null;
    const index = sampleAt(this.source, this.time);
    const frame = this.source.frameAt(index);
    if (!frame || frame.poses.length !== poses.length) return null;
    const next = this.source.mode === 'replay' && index + 1 < this.source.count() ? this.source.frameAt(index + 1) : null;
    const span = next ? next.time - frame.time : 0;
    if (next && span > 0 && this.time > frame.time) interpolatePoses(frame.poses, next.poses, (this.time - frame.time) / span, poses);
    else poses.set(frame.poses);
    return frame;
  }
}
