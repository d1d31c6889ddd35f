// The renderer, the light and the sky. The canvas is transparent: the sky is the page's own background behind it.

import {
  Color, DirectionalLight, Group, HemisphereLight, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, Scene as ThreeScene, Vector3,
  WebGLRenderer,
} from 'three';
import { sky } from './materials';
import { DataError } from './protocol';

const MOST_PIXELS_A_POINT = 2;
const NO_WEBGL =
  'This browser has no WebGL 2, which drawing the scene needs. Another browser, or hardware acceleration in its settings, may help.';
const SUN = new Vector3(-0.25, -0.7, 1).normalize();

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new ThreeScene();
  readonly camera = new PerspectiveCamera(42, 1, 0.01, 1000);
  /** Where everything of the simulation hangs. */
  readonly world = new Group();
  sceneRadius = 1;
  private readonly sun = new DirectionalLight(0xfff6e8, 2.1);
  private readonly ambient = new HemisphereLight(0xeaf2ff, 0x8d8a85, 1);

  constructor(
    private readonly holder: HTMLElement,
    canvas: HTMLCanvasElement,
  ) {
    this.renderer = Stage.makeRenderer(canvas);
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.info.autoReset = false;
    this.camera.up.set(0, 0, 1);
    this.world.matrixAutoUpdate = false;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.scene.add(this.world, this.sun, this.sun.target, this.ambient);
    this.resize();
  }

  private static makeRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
    const context = canvas.getContext('webgl2', { alpha: true, antialias: true, powerPreference: 'high-performance' });
    if (!context) throw new DataError(NO_WEBGL);
    return new WebGLRenderer({ canvas, context, alpha: true, antialias: true });
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  resize(): void {
    const width = Math.max(1, this.holder.clientWidth);
    const height = Math.max(1, this.holder.clientHeight);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, MOST_PIXELS_A_POINT));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  setTheme(dark: boolean): void {
    this.sun.intensity = dark ? 2.1 : 2.3;
    this.ambient.intensity = dark ? 2.1 : 2.9;
    this.ambient.groundColor = new Color(dark ? 0x3c434e : 0xa5a3a0);
    sky.value = dark ? 0.55 : 1;
  }

  showShadows(on: boolean): void {
    this.sun.castShadow = on;
  }

  /** The sun shines on a ball around what is looked at; shadows are sharp there and nowhere else. */
  aimSun(target: Vector3, radius: number): void {
    this.sun.target.position.copy(target);
    this.sun.position.copy(SUN).multiplyScalar(4 * radius).add(target);
    const box = this.sun.shadow.camera;
    if (Math.abs(box.right - radius) > 0.02 * radius) {
      box.left = box.bottom = -radius;
      box.right = box.top = radius;
      box.near = 0.5 * radius;
      box.far = 8 * radius;
      box.updateProjectionMatrix();
      this.sun.shadow.normalBias = (2.5 * radius) / 2048;
      this.sun.shadow.bias = -0.0004;
    }
  }

  /** Near and far planes that suit the distance: scenes are a millimetre or a kilometre large. */
  setDepthRange(distance: number): void {
    const near = Math.max(distance / 200, 1e-7);
    const far = 20 * (distance + this.sceneRadius);
    if (Math.abs(this.camera.near - near) < 0.05 * near && Math.abs(this.camera.far - far) < 0.05 * far) return;
    this.camera.near = near;
    this.camera.far = far;
    this.camera.updateProjectionMatrix();
  }

  /** Builds what the graphics card needs, arrows too, so that no picture waits for it later. */
  prepare(): void {
    this.renderer.compile(this.scene, this.camera);
  }

  render(): void {
    this.renderer.info.reset();
    this.renderer.render(this.scene, this.camera);
  }
}
