// The camera while nobody holds it: it rests as long as what moves is well in the picture, and goes after it when it leaves.

import { Vector3, type Box3 } from 'three';
import { LEAST_COVERAGE, SMALL_COVERAGE, WANTED_COVERAGE, halfOf, type Content, type ContentFinder, type Lens } from './content';

/** Of the camera's chase [rad/s]. */
const QUICKNESS = 7;
/** Parts of the half picture: where a chase begins, where it ends, and beyond which nothing that is followed ever goes. */
const [BEGINS, ENDS, EDGE] = [0.72, 0.06, 0.93];
/** The camera comes and goes by this power of e in a second. */
const ZOOM = 3;
const ROOM = 1.05;
/** At first, what can go anywhere covers no more of the picture than this. */
const FIRST_COVERAGE = 0.06;
/** Time that jumps farther than this is another place of the run, not motion [s]. */
const LONGEST_STEP = 0.5;

export class Director {
  readonly target = new Vector3();
  distance = 1;
  /** The part of the shadows that really shows, as it was last counted. */
  seen = 1;
  private readonly velocity = new Vector3();
  private readonly chases = [false, false, true];
  private time = NaN;

  constructor(
    private readonly finder: ContentFinder,
    readonly lens: Lens,
    /** Whether bodies are free to go anywhere. */
    private readonly roomy: boolean,
  ) {}

  /** Shows the beginning: scenery too where that leaves what moves large enough. */
  begin(bodyAffines: Float32Array, time: number, scene: Box3): void {
    this.finder.forget();
    this.time = time;
    this.velocity.setScalar(0);
    this.chases.fill(false);
    this.chases[2] = true;
    const content = this.finder.find(bodyAffines, this.lens, this.seen);
    const whole = halfOf(scene, this.lens);
    this.target.copy(whole.middle);
    this.distance = this.lens.distanceFor(whole.half);
    if (!content) return;
    if (this.roomy) this.distance = Math.max(this.distance, this.lens.distanceOf(this.seen * content.shadow, FIRST_COVERAGE));
    const most = this.mostDistance(content, WANTED_COVERAGE);
    if (this.distance <= most) return;
    this.distance = most;
    this.lens.axes.forEach((axis, k) => this.push(axis, k, content, k === 2 ? 0 : BEGINS));
  }

  /** Looks at this box from where all of it is seen. */
  fits(box: Box3): boolean {
    this.finder.forget();
    const whole = halfOf(box, this.lens);
    this.target.copy(whole.middle);
    this.distance = this.lens.distanceFor(whole.half);
    return Number.isFinite(this.distance);
  }

  isLargeEnough(bodyAffines: Float32Array): boolean {
    const content = this.finder.find(bodyAffines, this.lens, this.seen);
    return !content || this.distance <= this.mostDistance(content, 1.2 * LEAST_COVERAGE);
  }

  /** Goes on to the bodies' places at this time. */
  see(bodyAffines: Float32Array, time: number): void {
    const step = time - this.time;
    this.time = time;
    const content = this.finder.find(bodyAffines, this.lens, this.seen);
    if (!content) return;
    if (step > LONGEST_STEP || step < 0) this.jump(content);
    else if (step > 0) this.chase(content, step);
    this.hold(content);
  }

  /** Looks at a place that was planned, or beside it where what moves would not be in the picture. */
  place(bodyAffines: Float32Array, target: Vector3, distance: number): void {
    this.target.copy(target);
    this.distance = distance;
    const content = this.finder.find(bodyAffines, this.lens, this.seen);
    if (content) this.hold(content);
  }

  /** The part of the picture that what moves should cover, if nothing hides it. */
  expected(bodyAffines: Float32Array): number {
    const content = this.finder.find(bodyAffines, this.lens, this.seen);
    return content ? this.lens.coverage(content.shadow, this.distance) : 0;
  }

  private hold(content: Content): void {
    this.distance = Math.max(this.distance, this.lens.distanceFor(content.half) / 1.02);
    this.lens.axes.forEach((axis, k) => this.push(axis, k, content, k === 2 ? 0.2 : EDGE));
  }

  private jump(content: Content): void {
    this.velocity.setScalar(0);
    this.chases.fill(false);
    this.chases[2] = true;
    const [least, most] = [ROOM * this.lens.distanceFor(content.half), this.mostDistance(content, WANTED_COVERAGE)];
    this.distance = Math.min(Math.max(this.distance, least), Math.max(least, most));
    this.lens.axes.forEach((axis, k) => this.push(axis, k, content, k === 2 ? 0 : 0.5));
  }

  private chase(content: Content, step: number): void {
    const shift = content.shift;
    this.lens.axes.forEach((axis, k) => {
      const [room, speed] = [this.reach(k), shift.dot(axis) / step];
      const before = content.middle.dot(axis) - shift.dot(axis) - this.target.dot(axis);
      const slow = Math.max(Math.abs(speed), Math.abs(this.velocity.dot(axis))) < 0.15 * room;
      if (Math.abs(before) + content.half.getComponent(k) > BEGINS * room) this.chases[k] = true;
      else if (k < 2 && slow && Math.abs(before) < ENDS * room) this.chases[k] = false;
      this.advance(axis, this.chases[k] ? before : 0, this.chases[k] ? speed : 0, step);
    });
    const least = this.lens.distanceFor(content.half);
    const wanted = Math.max(this.mostDistance(content, WANTED_COVERAGE), ROOM * least);
    const small = this.distance > Math.max(this.mostDistance(content, SMALL_COVERAGE), ROOM * least);
    if (small || this.distance < least) this.distance *= (wanted / this.distance) ** (1 - Math.exp(-ZOOM * step));
  }

  /** A critically damped spring to what goes on at this speed and is `gap` ahead: exact, however long the step. */
  private advance(axis: Vector3, gap: number, speed: number, step: number): void {
    const fade = Math.exp(-QUICKNESS * step);
    const closing = speed - this.velocity.dot(axis);
    const drift = (closing + QUICKNESS * gap) * step;
    const left = (gap + drift) * fade;
    const leftClosing = (closing - QUICKNESS * drift) * fade;
    this.target.addScaledVector(axis, gap + speed * step - left);
    this.velocity.addScaledVector(axis, closing - leftClosing);
  }

  /** Half of what one sees along an axis of the picture. */
  private reach(k: number): number {
    return this.distance * (k === 0 ? this.lens.halfWidth : k === 1 ? this.lens.halfHeight : 1);
  }

  /** Nothing that is followed leaves the picture; along the view it stays at the distance at which the picture's size is counted. */
  private push(axis: Vector3, k: number, content: Content, part: number): void {
    const room = Math.max(part * this.reach(k) - (k < 2 ? content.half.getComponent(k) : 0), 0);
    const gap = content.middle.dot(axis) - this.target.dot(axis);
    const excess = gap - Math.min(Math.max(gap, -room), room);
    this.target.addScaledVector(axis, excess);
  }

  private mostDistance(content: Content, coverage: number): number {
    return Math.max(this.lens.distanceOf(this.seen * content.shadow, coverage), this.lens.distanceFor(content.half));
  }
}
