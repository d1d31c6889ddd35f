// Moves the camera until the reader does: what moves stays in the picture, and is not hidden by what does not.

import { Vector3 } from 'three';
import type { Bounds } from './bounds';
import { VIEWS, type Camera } from './camera';
import { ContentFinder, LEAST_COVERAGE, Lens } from './content';
import { Course } from './course';
import type { Coverage } from './coverage';
import { Director } from './director';
import type { Frame } from './protocol';

/** Between counts of what is seen in a simulation [s]. */
const INTERVAL = 0.3;
/** Where no side is better [s]. */
const PATIENCE = 1;
/** The camera turns to another side in about this time [s]. */
const TURN = 0.35;
const PLACES_COUNTED = 7;
/** Part of what is due to be seen below which another side is tried, and how much better that must be. */
const HIDDEN = 0.5;
const BETTER = 1.2;
/** Part of the picture that is enough, whatever other sides would show. */
const ENOUGH = 0.02;
/** So little of what is due from the best of sides is nothing. */
const UNSEEN = 0.03;
/** Of what is due to be seen: thin things that lie across the view show more of themselves than on average. */
const [LEAST_SEEN, MOST_SEEN] = [0.3, 1.4];

function rotated(way: Vector3, azimuth: number, height: number): Vector3 {
  const turned = way.clone().applyAxisAngle(new Vector3(0, 0, 1), (azimuth * Math.PI) / 180);
  const flat = Math.hypot(turned.x, turned.y) || 1;
  const [cos, sin] = [Math.cos((height * Math.PI) / 180), Math.sin((height * Math.PI) / 180)];
  return new Vector3((turned.x / flat) * cos, (turned.y / flat) * cos, sin);
}

/** What is seen of what moves: the part of the picture, and that of what is due if nothing hides it. */
interface Sight {
  covered: number;
  part: number;
}

/** One is as good as it need be. */
function worth({ covered, part }: Sight): number {
  return Math.min(covered / ENOUGH, part / HIDDEN, 1);
}

/** Sides from which to look where much is hidden, or thin: first higher, then around. */
const SIDES: readonly Vector3[] = [
  [0, 50], [0, 72], [-34, 14], [56, 14], [90, 28], [-90, 28], [180, 28], [90, 55], [-90, 55], [180, 55],
].map(([azimuth, height]) => rotated(VIEWS.isometric, azimuth, height));

export class AutoCamera {
  private readonly lens = new Lens();
  private readonly director: Director;
  private readonly way = VIEWS.isometric.clone();
  private readonly goal = VIEWS.isometric.clone();
  private course: Course | null = null;
  /** The reader chose the side: only he changes it. */
  private sideIsChosen = false;
  private plannedAspect = 0;
  private start = 0;
  private time = 0;
  private sinceCount = 0;
  private countedTime = NaN;

  constructor(
    private readonly camera: Camera,
    private readonly bounds: Bounds,
    private readonly coverage: Coverage,
    private readonly affines: Float32Array,
    /** Puts bodies where they are in a frame of a recording, for counting. */
    private readonly show: (frame: Frame) => void,
    /** Nothing that moves is seen from any side. */
    private readonly walledIn: () => void,
  ) {
    this.director = new Director(new ContentFinder(bounds), this.lens, bounds.free);
  }

  /** A recording, by frames that are evenly spread over it. */
  setCourse(samples: Frame[]): void {
    this.course = new Course(samples, this.bounds);
  }

  /** The first view of all. */
  reset(time: number): void {
    this.sideIsChosen = false;
    this.begin(VIEWS.isometric, time);
    if (this.bounds.moving.length === 0) return;
    if (this.course) this.chooseSide(time, () => this.worstOfCourse());
    else this.chooseSide(time, () => this.seenNow());
  }

  /** From a side that the reader chose. */
  look(way: Vector3, time: number): void {
    this.sideIsChosen = true;
    this.begin(way, time);
  }

  /** Bodies have moved, or the picture has another shape. */
  update(time: number): void {
    this.time = time;
    this.setLens(this.way);
    if (this.course) {
      if (this.plannedAspect !== this.camera.aspect) this.plan();
      const { target, distance } = this.course.at(time);
      this.director.place(this.affines, target, distance);
    } else {
      this.director.see(this.affines, time);
    }
    this.apply();
  }

  /** The picture has another shape. */
  reshape(time: number): void {
    if (time === this.start && !this.course) this.begin(this.way, time);
    else this.update(time);
  }

  /** In each turn of the loop; seconds of the clock. */
  turn(seconds: number): void {
    if (this.course) return;
    this.sinceCount += seconds;
    if (this.sinceCount > INTERVAL) this.lookAround();
    if (this.way.distanceTo(this.goal) < 1e-3) return;
    this.way.lerp(this.goal, 1 - Math.exp(-seconds / TURN)).normalize();
    this.setLens(this.way);
    this.director.see(this.affines, this.time);
    this.apply();
  }

  private setLens(way: Vector3): void {
    this.lens.set(way, this.camera.fieldOfView, this.camera.aspect);
  }

  private begin(way: Vector3, time: number): void {
    this.start = this.time = time;
    this.sinceCount = 0;
    this.director.seen = 1;
    this.way.copy(way);
    this.goal.copy(way);
    this.setLens(way);
    if (this.course) this.plan();
    else this.director.begin(this.affines, time, this.bounds.whole(this.affines));
    this.update(time);
  }

  private plan(): void {
    this.plannedAspect = this.camera.aspect;
    this.course?.plan(this.director);
  }

  private apply(): void {
    this.camera.stand(this.director.target, this.way, this.director.distance);
  }

  private seenNow(): Sight {
    const covered = this.coverage.count();
    return { covered, part: covered / Math.max(this.director.expected(this.affines), 1e-9) };
  }

  /** The least over the run. */
  private worstOfCourse(): Sight {
    const { samples } = this.course!;
    const worst = { covered: Infinity, part: Infinity };
    for (let k = 0; k <= PLACES_COUNTED; ++k) {
      const sample = samples[Math.round((k / PLACES_COUNTED) * (samples.length - 1))];
      this.show(sample);
      this.update(sample.time);
      const sight = this.seenNow();
      worst.covered = Math.min(worst.covered, sight.covered);
      worst.part = Math.min(worst.part, sight.part);
    }
    return worst;
  }

  /** Comes closer where less is seen than is due, or looks from where more is. */
  private chooseSide(time: number, look: () => Sight): void {
    let [best, side, part] = [0, VIEWS.isometric, 0];
    for (const way of [VIEWS.isometric, ...SIDES]) {
      if (best >= 1) break;
      if (way !== VIEWS.isometric) this.begin(way, time);
      const sight = look();
      if (worth(sight) > BETTER * best) [best, side, part] = [worth(sight), way, sight.part];
    }
    this.begin(side, time);
    if (part < UNSEEN) {
      this.walledIn();
      part = 1;
    }
    this.director.seen = Math.min(Math.max(part, LEAST_SEEN), MOST_SEEN);
    this.plan();
    this.update(time);
  }

  /** In a simulation, where what comes is not known: what is seen is counted now and then. */
  private lookAround(): void {
    this.sinceCount = 0;
    if (this.bounds.moving.length === 0 || this.time === this.countedTime) return;
    this.countedTime = this.time;
    const sight = this.seenNow();
    this.director.seen = Math.min(Math.max(sight.part, LEAST_SEEN), MOST_SEEN);
    if (sight.covered >= 2 * LEAST_COVERAGE || sight.part >= HIDDEN || this.sideIsChosen) return;
    if (this.way.distanceTo(this.goal) > 0.05) return;
    this.goal.copy(this.bestSide(sight));
    if (this.goal.equals(this.way)) this.sinceCount = -PATIENCE;
  }

  private bestSide(now: Sight): Vector3 {
    const here = this.way.clone();
    let [best, side, part] = [worth(now), here, now.part];
    for (const way of [VIEWS.isometric, ...SIDES]) {
      this.setLens(way);
      this.camera.stand(this.director.target, way, this.director.distance);
      const sight = this.seenNow();
      if (worth(sight) > BETTER * best) [best, side, part] = [worth(sight), way, sight.part];
      if (best >= 1) break;
    }
    this.setLens(here);
    this.apply();
    if (part < UNSEEN) this.walledIn();
    return side;
  }
}
