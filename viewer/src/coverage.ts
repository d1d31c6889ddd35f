// How much of the picture shows what moves: the picture once more, small and in two colours, and its pixels counted.

import { Color, WebGLRenderTarget } from 'three';
import type { Bodies } from './bodies';
import type { Stage } from './stage';

const BLACK = new Color(0);

export class Coverage {
  private target: WebGLRenderTarget | null = null;
  private pixels = new Uint8Array(0);

  constructor(
    private readonly stage: Stage,
    private readonly bodies: Bodies,
  ) {}

  /** The part of the canvas where a body that moves is seen, counted on so many lines. */
  count(lines = 72): number {
    const { renderer, world } = this.stage;
    const target = this.targetFor(lines);
    const hidden = world.children.filter((child) => child.visible && !this.bodies.has(child));
    const [color, alpha, shadows] = [renderer.getClearColor(new Color()), renderer.getClearAlpha(), renderer.shadowMap.autoUpdate];
    for (const child of hidden) child.visible = false;
    this.bodies.setCounting(true);
    renderer.shadowMap.autoUpdate = false;
    renderer.setClearColor(BLACK, 1);
    // Three sends places that changed to the card once a picture, and takes this one for the last one's shadows' otherwise.
    ++renderer.info.render.frame;
    renderer.setRenderTarget(target);
    renderer.render(this.stage.scene, this.stage.camera);
    renderer.readRenderTargetPixels(target, 0, 0, target.width, target.height, this.pixels);
    renderer.setRenderTarget(null);
    renderer.setClearColor(color, alpha);
    renderer.shadowMap.autoUpdate = shadows;
    this.bodies.setCounting(false);
    for (const child of hidden) child.visible = true;
    let covered = 0;
    for (let k = 0; k < this.pixels.length; k += 4) if (this.pixels[k] > 127) ++covered;
    return covered / (target.width * target.height);
  }

  private targetFor(lines: number): WebGLRenderTarget {
    const width = Math.max(1, Math.round(lines * this.stage.camera.aspect));
    if (this.target?.width !== width || this.target.height !== lines) {
      this.target?.dispose();
      this.target = new WebGLRenderTarget(width, lines);
      this.pixels = new Uint8Array(4 * width * lines);
    }
    return this.target;
  }
}
