// The camera: turned by hand around a point, put to set views, or carried along with a body.

import { Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Stage } from './stage';

export type ViewName = 'front' | 'side' | 'top' | 'isometric';

const VIEWS: Record<ViewName, Vector3> = {
  front: new Vector3(0, -1, 0.06).normalize(),
  side: new Vector3(1, 0, 0.06).normalize(),
  top: new Vector3(0, -0.0001, 1).normalize(),
  isometric: new Vector3(0.85, -1.25, 0.72).normalize(),
};

export interface Ball {
  center: Vector3;
  radius: number;
}

export class Camera {
  readonly orbit: OrbitControls;
  followed = -1;
  private readonly lastFollowed = new Vector3();
  private readonly shift = new Vector3();

  constructor(
    private readonly stage: Stage,
    private readonly whole: () => Ball,
    changed: () => void,
  ) {
    this.orbit = new OrbitControls(stage.camera, stage.canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.12;
    this.orbit.zoomToCursor = true;
    this.orbit.addEventListener('change', changed);
  }

  get target(): Vector3 {
    return this.orbit.target;
  }

  get distance(): number {
    return this.stage.camera.position.distanceTo(this.orbit.target);
  }

  view(name: ViewName, ball = this.whole()): void {
    this.lookAt(ball, VIEWS[name]);
  }

  /** Everything in the picture, from where one looks now. */
  fit(): void {
    const way = this.stage.camera.position.clone().sub(this.orbit.target).normalize();
    this.lookAt(this.whole(), way);
  }

  focus(point: Vector3, radius: number): void {
    const way = this.stage.camera.position.clone().sub(this.orbit.target).normalize();
    this.lookAt({ center: point, radius }, way);
  }

  put(position: ArrayLike<number>, target: ArrayLike<number>): void {
    this.stage.camera.position.set(position[0], position[1], position[2]);
    this.orbit.target.set(target[0], target[1], target[2]);
    this.orbit.update();
  }

  /** Follows a body from the place where it is now; -1 for none. */
  follow(body: number, place: Vector3): void {
    this.followed = body;
    this.lastFollowed.copy(place);
  }

  /** Moves camera and target as the body moved since the last call. */
  carry(place: Vector3): void {
    this.shift.subVectors(place, this.lastFollowed);
    this.stage.camera.position.add(this.shift);
    this.orbit.target.add(this.shift);
    this.lastFollowed.copy(place);
  }

  private lookAt(ball: Ball, way: Vector3): void {
    const camera = this.stage.camera;
    const halfHeight = (camera.fov * Math.PI) / 360;
    const halfWidth = Math.atan(Math.tan(halfHeight) * camera.aspect);
    const distance = (1.12 * ball.radius) / Math.sin(Math.min(halfHeight, halfWidth));
    camera.position.copy(ball.center).addScaledVector(way, distance);
    this.orbit.target.copy(ball.center);
    this.orbit.update();
  }
}
