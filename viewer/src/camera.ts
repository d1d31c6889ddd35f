// The camera: turned by hand around a point, put to set views, carried along with a body, or left to find what moves by itself.

import { Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Stage } from './stage';

export type ViewName = 'front' | 'side' | 'top' | 'isometric';

export const VIEWS: Record<ViewName, Vector3> = {
  front: new Vector3(0, -1, 0.06).normalize(),
  side: new Vector3(1, 0, 0.06).normalize(),
  top: new Vector3(0, -0.0001, 1).normalize(),
  isometric: new Vector3(0.85, -1.25, 0.72).normalize(),
};

export class Camera {
  readonly orbit: OrbitControls;
  followed = -1;
  /** Nobody has taken it in hand. */
  automatic = true;
  private held = false;
  private readonly lastFollowed = new Vector3();
  private readonly shift = new Vector3();

  constructor(
    private readonly stage: Stage,
    changed: () => void,
  ) {
    this.orbit = new OrbitControls(stage.camera, stage.canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.12;
    this.orbit.zoomToCursor = true;
    this.orbit.addEventListener('start', () => (this.held = true));
    this.orbit.addEventListener('end', () => (this.held = false));
    this.orbit.addEventListener('change', () => {
      // A click that only selects moves nothing, and takes nothing in hand.
      if (this.held) this.automatic = false;
      changed();
    });
  }

  get target(): Vector3 {
    return this.orbit.target;
  }

  get distance(): number {
    return this.stage.camera.position.distanceTo(this.orbit.target);
  }

  /** From what is looked at to the camera. */
  get way(): Vector3 {
    return this.stage.camera.position.clone().sub(this.orbit.target).normalize();
  }

  get fieldOfView(): number {
    return this.stage.camera.fov;
  }

  get aspect(): number {
    return this.stage.camera.aspect;
  }

  /** Whether it may move by itself: not while a button is down. */
  get free(): boolean {
    return this.automatic && !this.held;
  }

  /** Looks at a point from a side and a distance. */
  stand(target: Vector3, way: Vector3, distance: number): void {
    this.stage.camera.position.copy(target).addScaledVector(way, distance);
    this.orbit.target.copy(target);
    this.orbit.update();
    this.stage.setDepthRange(distance);
    this.stage.camera.updateMatrixWorld();
  }

  put(position: ArrayLike<number>, target: ArrayLike<number>): void {
    this.automatic = false;
    this.stage.camera.position.set(position[0], position[1], position[2]);
    this.orbit.target.set(target[0], target[1], target[2]);
    this.orbit.update();
  }

  /** Looks at a ball from the side where it is now. */
  focus(point: Vector3, radius: number): void {
    this.automatic = false;
    this.stand(point, this.way, this.distanceFor(radius));
  }

  /** Turns around this point from now on. */
  aim(point: Vector3): void {
    this.automatic = false;
    this.orbit.target.copy(point);
  }

  /** Follows a body from now on, near enough to see it; -1 for none. */
  follow(body: number, place: Vector3, radius: number): void {
    this.followed = body;
    this.lastFollowed.copy(place);
    if (body < 0) return;
    this.automatic = false;
    const distance = Math.min(Math.max(this.distance, this.distanceFor(1.2 * radius)), this.distanceFor(2.5 * radius));
    this.stand(place, this.way, distance);
  }

  /** Moves camera and target as the body moved since the last call. */
  carry(place: Vector3): void {
    this.shift.subVectors(place, this.lastFollowed);
    this.stage.camera.position.add(this.shift);
    this.orbit.target.add(this.shift);
    this.lastFollowed.copy(place);
  }

  private distanceFor(radius: number): number {
    const halfHeight = (this.fieldOfView * Math.PI) / 360;
    const halfWidth = Math.atan(Math.tan(halfHeight) * this.aspect);
    return (1.12 * radius) / Math.sin(Math.min(halfHeight, halfWidth));
  }
}
