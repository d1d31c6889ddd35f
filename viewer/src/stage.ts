// The renderer, the light and the sky. The canvas is transparent: the sky is the page's own background behind it.

import {
  BackSide, Color, DirectionalLight, Group, HemisphereLight, Mesh, NeutralToneMapping, PCFSoftShadowMap, PMREMGenerator, PerspectiveCamera,
  Scene as ThreeScene, ShaderMaterial, SphereGeometry, Vector3, WebGLRenderer,
} from 'three';
import { DataError } from './protocol';

const MOST_PIXELS_A_POINT = 2;
const SUN = new Vector3(-0.62, -0.28, 1).normalize();

/** A sky that is brighter above, with a soft lamp in it: it gives bodies their gentle reflections. */
function skyScene(): ThreeScene {
  const material = new ShaderMaterial({
    side: BackSide,
    uniforms: { sun: { value: SUN } },
    vertexShader: 'varying vec3 vWay; void main() { vWay = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: `varying vec3 vWay; uniform vec3 sun;
      void main() {
        vec3 way = normalize(vWay);
        vec3 sky = mix(vec3(0.42, 0.43, 0.46), vec3(0.95, 1.0, 1.08), smoothstep(-0.3, 0.9, way.z));
        gl_FragColor = vec4(sky + 4.0 * vec3(1.0, 0.97, 0.92) * smoothstep(0.9, 0.99, dot(way, sun)), 1.0);
      }`,
  });
  const scene = new ThreeScene();
  scene.add(new Mesh(new SphereGeometry(10, 32, 16), material));
  return scene;
}

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new ThreeScene();
  readonly camera = new PerspectiveCamera(42, 1, 0.01, 1000);
  /** Where everything of the simulation hangs. */
  readonly world = new Group();
  private readonly sun = new DirectionalLight(0xfff6e8, 2.1);
  private readonly ambient = new HemisphereLight(0xffffff, 0x8d8a85, 0.35);

  constructor(
    private readonly holder: HTMLElement,
    canvas: HTMLCanvasElement,
  ) {
    this.renderer = Stage.makeRenderer(canvas);
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    this.renderer.info.autoReset = false;
    this.camera.up.set(0, 0, 1);
    this.world.matrixAutoUpdate = false;
    const maker = new PMREMGenerator(this.renderer);
    this.scene.environment = maker.fromScene(skyScene(), 0.04, 0.1, 50).texture;
    this.scene.environmentIntensity = 0.55;
    maker.dispose();
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.scene.add(this.world, this.sun, this.sun.target, this.ambient);
    this.resize();
  }

  private static makeRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
    const context = canvas.getContext('webgl2', { alpha: true, antialias: true, powerPreference: 'high-performance' });
    if (!context) throw new DataError('This browser has no WebGL 2, which drawing the scene needs. Another browser, or hardware acceleration in its settings, may help.');
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
    this.scene.environmentIntensity = dark ? 0.42 : 0.62;
    this.sun.intensity = dark ? 1.9 : 2.2;
    this.ambient.groundColor = new Color(dark ? 0x2a2f38 : 0xa8a49e);
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
  setDepthRange(distance: number, sceneRadius: number): void {
    const near = Math.max(distance / 200, 1e-4);
    const far = 20 * (distance + sceneRadius);
    if (Math.abs(this.camera.near - near) < 0.05 * near && Math.abs(this.camera.far - far) < 0.05 * far) return;
    this.camera.near = near;
    this.camera.far = far;
    this.camera.updateProjectionMatrix();
  }

  render(): void {
    this.renderer.info.reset();
    this.renderer.render(this.scene, this.camera);
  }
}
