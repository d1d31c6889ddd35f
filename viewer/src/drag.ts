// Pulling at a body of a live simulation: a spring from the point that was taken hold of to the pointer.

import { CylinderGeometry, Mesh, MeshBasicMaterial, Plane, Raycaster, Vector2, Vector3 } from 'three';
import { writeAlong } from './contacts';
import { canvasPlace, hitUnder } from './pointer';
import { worldPoint, type Hit } from './picking';
import type { LiveSource } from './source_live';
import type { Viewer } from './viewer';

const SHORTEST_INTERVAL = 1000 / 60;

export class Drag {
  /** With the tool on, no key need be held. */
  toolIsOn = false;
  private hit: Hit | null = null;
  private pointer = -1;
  private changed = false;
  private lastSent = 0;
  private readonly plane = new Plane();
  private readonly target = new Vector3();
  private readonly raycaster = new Raycaster();
  private readonly spring: Mesh;

  constructor(
    private readonly viewer: Viewer,
    private readonly live: LiveSource,
    private readonly holder: HTMLElement,
  ) {
    const material = new MeshBasicMaterial({ color: 0xf2a900, depthTest: false, transparent: true });
    this.spring = new Mesh(new CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5), material);
    this.spring.matrixAutoUpdate = false;
    this.spring.frustumCulled = false;
    this.spring.visible = false;
    this.spring.renderOrder = 20;
    viewer.stage.world.add(this.spring);
    // Before the canvas hears of it: what pulls a body must not turn the camera as well.
    holder.addEventListener('pointerdown', (event) => this.begin(event), { capture: true });
    holder.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel'] as const) holder.addEventListener(end, (event) => this.end(event));
    viewer.onTurn.push(() => this.turn());
  }

  setTool(on: boolean): void {
    this.toolIsOn = on;
    this.holder.classList.toggle('drag-tool', on);
  }

  private begin(event: PointerEvent): void {
    const wanted = event.button === 0 && (this.toolIsOn || event.ctrlKey || event.shiftKey);
    if (!wanted || this.hit || event.target !== this.viewer.stage.canvas) return;
    const hit = hitUnder(this.viewer, event);
    if (!hit || !this.viewer.scene.bodies[hit.body].moves) return;
    event.stopPropagation();
    event.preventDefault();
    this.viewer.stage.canvas.setPointerCapture(event.pointerId);
    this.hit = hit;
    this.pointer = event.pointerId;
    this.target.fromArray(hit.point);
    this.plane.setFromNormalAndCoplanarPoint(this.viewer.stage.camera.getWorldDirection(new Vector3()), this.target);
    this.changed = true;
    this.holder.classList.add('dragging');
    this.viewer.player.now();
    this.viewer.select(hit.body);
  }

  private move(event: PointerEvent): void {
    if (!this.hit || event.pointerId !== this.pointer) return;
    const [x, y] = canvasPlace(this.viewer.stage.canvas, event);
    this.raycaster.setFromCamera(new Vector2(x, y), this.viewer.stage.camera);
    if (this.raycaster.ray.intersectPlane(this.plane, this.target)) this.changed = true;
  }

  private end(event: PointerEvent): void {
    if (!this.hit || event.pointerId !== this.pointer) return;
    this.hit = null;
    this.pointer = -1;
    this.spring.visible = false;
    this.holder.classList.remove('dragging');
    this.live.send({ do: 'drop' });
    this.viewer.redraw();
  }

  private turn(): void {
    if (!this.hit) return;
    const now = performance.now();
    if (this.changed && now - this.lastSent >= SHORTEST_INTERVAL) {
      this.live.send({ do: 'drag', body: this.hit.body, point: this.hit.local, target: this.target.toArray() });
      this.lastSent = now;
      this.changed = false;
    }
    this.drawSpring(this.hit);
  }

  private drawSpring(hit: Hit): void {
    const from = new Vector3(...worldPoint(this.viewer.affines, hit.body, hit.local));
    const way = this.target.clone().sub(from);
    const length = way.length();
    this.spring.visible = length > 0;
    if (length === 0) return;
    way.divideScalar(length);
    const width = 0.003 * this.viewer.camera.distance;
    const elements = new Float32Array(16);
    writeAlong(elements, 0, from.x, from.y, from.z, way.x, way.y, way.z, width, length);
    this.spring.matrix.fromArray(elements);
    this.spring.matrixWorldNeedsUpdate = true;
    this.viewer.redraw();
  }
}
