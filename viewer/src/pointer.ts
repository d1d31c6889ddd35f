// Mouse and fingers on the scene: a click selects, a double click looks closer. Turning is the camera's matter, pulling is drag.ts.

import { Vector3 } from 'three';
import type { Hit } from './picking';
import type { Viewer } from './viewer';

const STILL_PIXELS = 5;
const CLICK_MILLISECONDS = 500;

/** A place of the window in coordinates of the canvas, from -1 to 1. */
export function canvasPlace(canvas: HTMLCanvasElement, event: MouseEvent): [number, number] {
  const box = canvas.getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2];
}

export function hitUnder(viewer: Viewer, event: MouseEvent): Hit | null {
  return viewer.picker.pick(...canvasPlace(viewer.stage.canvas, event), viewer.stage.camera, viewer.affines);
}

export function listenToPointer(viewer: Viewer): void {
  const canvas = viewer.stage.canvas;
  let [downX, downY, downTime] = [0, 0, 0];
  canvas.addEventListener('pointerdown', (event) => ([downX, downY, downTime] = [event.clientX, event.clientY, event.timeStamp]));
  canvas.addEventListener('click', (event) => {
    const still = Math.hypot(event.clientX - downX, event.clientY - downY) < STILL_PIXELS;
    if (!still || event.timeStamp - downTime > CLICK_MILLISECONDS) return;
    const hit = hitUnder(viewer, event);
    viewer.select(hit && hit.body > 0 ? hit.body : -1);
  });
  canvas.addEventListener('dblclick', (event) => {
    const hit = hitUnder(viewer, event);
    if (!hit) viewer.look();
    else if (hit.body > 0) viewer.focus(hit.body);
    else viewer.camera.aim(new Vector3(...hit.point));
  });
}
