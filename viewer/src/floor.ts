// Half spaces are drawn as a quiet chequered floor which fades out around what is looked at. A scene without one gets a faint grid below it.

import { Color, DoubleSide, Mesh, MeshLambertMaterial, PlaneGeometry, SRGBColorSpace, Vector2, type Group, type Vector3 } from 'three';
import type { Pose, Rgba, Scene } from './protocol';
import { after } from './shaders';
import { AFFINE, affineOfPose, multiplyToMatrix } from './transforms';

const VERTEX_HEAD = 'uniform vec2 planeOffset; uniform float planeReach; varying vec2 vPlane; varying vec2 vFade;';
const VERTEX_BODY = 'vPlane = position.xy * planeReach + planeOffset; vFade = position.xy;';
const FRAGMENT_HEAD =
  'uniform float cell; uniform float fill; uniform float skyLight; uniform vec3 lineColor; varying vec2 vPlane; varying vec2 vFade;';
// The chequers are averaged over the pixel, so that they turn to an even grey in the distance instead of flickering.
const FRAGMENT_BODY = `
  vec2 place = vPlane / cell;
  vec2 width = max(fwidth(place), vec2(1e-5));
  vec2 wave = 2.0 * (abs(fract((place - 0.5 * width) * 0.5) - 0.5) - abs(fract((place + 0.5 * width) * 0.5) - 0.5)) / width;
  float chequer = 0.5 - 0.5 * wave.x * wave.y;
  vec2 near = abs(fract(place - 0.5) - 0.5) / width;
  float line = (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(width.x, width.y)));
  diffuseColor.rgb *= mix(0.95, 1.05, chequer);
  diffuseColor.rgb = mix(diffuseColor.rgb, lineColor, line * mix(0.7, 0.2, fill));
  float side = gl_FrontFacing ? 1.0 : 0.22;
  diffuseColor.a = mix(line * 0.6, side, fill) * (1.0 - smoothstep(0.2, 1.0, length(vFade)));
  if (diffuseColor.a < 0.004) discard;`;

// The light of the sky, which bodies have by reflections; so much of the screen is floor that it must be cheap to draw.
const FRAGMENT_SKY = 'totalEmissiveRadiance += skyLight * vec3(0.92, 0.98, 1.1) * diffuseColor.rgb;';

/** A length of the series 1, 2, 5, 10, ... that is near the one asked for. */
export function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const digit = length / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/** By so much more or less than the cell that is there another must be wanted. */
const CELL_CHANGE = 4;

class Floor {
  readonly mesh: Mesh<PlaneGeometry, MeshLambertMaterial>;
  private readonly local: Float32Array;
  private readonly world = new Float32Array(16);
  private readonly uniforms;

  constructor(
    private readonly body: number,
    pose: Pose,
    private readonly color: Rgba,
    cell: number,
    isGrid: boolean,
    /** Only there for collisions, and shown with them. */
    readonly onlyCollides: boolean,
  ) {
    this.local = affineOfPose(pose);
    this.uniforms = {
      planeOffset: { value: new Vector2() },
      planeReach: { value: 1 },
      cell: { value: cell },
      fill: { value: isGrid ? 0 : 1 },
      skyLight: { value: 0 },
      lineColor: { value: new Color() },
    };
    const material = new MeshLambertMaterial({ transparent: true, depthWrite: false, side: DoubleSide });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = after(after(shader.vertexShader, 'common', VERTEX_HEAD), 'begin_vertex', VERTEX_BODY);
      const fragment = after(after(shader.fragmentShader, 'common', FRAGMENT_HEAD), 'color_fragment', FRAGMENT_BODY);
      shader.fragmentShader = after(fragment, 'emissivemap_fragment', FRAGMENT_SKY);
    };
    this.mesh = new Mesh(new PlaneGeometry(2, 2), material);
    this.mesh.matrixAutoUpdate = false;
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = !isGrid;
    this.mesh.renderOrder = -1;
  }

  /** The plane is without end: the piece that is drawn goes where the camera looks. */
  update(bodyAffines: Float32Array, focus: Vector3, reach: number, cell: number): void {
    const m = this.world;
    multiplyToMatrix(bodyAffines, AFFINE * this.body, this.local, 0, m, 0);
    const [dx, dy, dz] = [focus.x - m[12], focus.y - m[13], focus.z - m[14]];
    const x = dx * m[0] + dy * m[1] + dz * m[2];
    const y = dx * m[4] + dy * m[5] + dz * m[6];
    this.uniforms.planeOffset.value.set(x, y);
    this.uniforms.planeReach.value = reach;
    this.setCell(cell);
    const matrix = this.mesh.matrix.elements;
    for (let k = 0; k < 3; ++k) {
      matrix[k] = reach * m[k];
      matrix[4 + k] = reach * m[4 + k];
      matrix[8 + k] = m[8 + k];
      matrix[12 + k] = m[12 + k] + x * m[k] + y * m[4 + k];
    }
    this.mesh.matrixWorldNeedsUpdate = true;
  }

  /** Squares that suit the picture; they keep their size as long as they do. */
  private setCell(wanted: number): void {
    const { cell } = this.uniforms;
    const ratio = wanted / cell.value;
    if (ratio > CELL_CHANGE || ratio < 1 / CELL_CHANGE) cell.value = roundLength(wanted);
  }

  /** Its own colour, but light on a light page and dark on a dark one. */
  setTheme(dark: boolean): void {
    const color = this.mesh.material.color.setRGB(this.color[0], this.color[1], this.color[2], SRGBColorSpace);
    color.lerp(new Color(dark ? 0x1a2330 : 0xf1f4f8), 0.8);
    this.uniforms.skyLight.value = dark ? 0.12 : 0.1;
    this.uniforms.lineColor.value.set(dark ? 0x8fa3ba : 0x64748b);
  }
}

export class Floors {
  private readonly floors: Floor[] = [];

  constructor(scene: Scene, sceneRadius: number, lowest: number, parent: Group) {
    const cell = roundLength(sceneRadius / 4);
    scene.bodies.forEach((body, number) => {
      for (const geometry of body.geometry) {
        if (geometry.shape === 'half_space') this.floors.push(new Floor(number, geometry.pose, geometry.color, cell, false, !geometry.visible));
      }
    });
    const seen = this.floors.some((floor) => !floor.onlyCollides);
    if (!seen) this.floors.push(new Floor(0, [0, 0, lowest, 1, 0, 0, 0], [0.5, 0.5, 0.5, 1], cell, true, false));
    for (const floor of this.floors) parent.add(floor.mesh);
    this.show(true, false);
  }

  update(bodyAffines: Float32Array, focus: Vector3, reach: number, cell: number): void {
    for (const floor of this.floors) floor.update(bodyAffines, focus, reach, cell);
  }

  setTheme(dark: boolean): void {
    for (const floor of this.floors) floor.setTheme(dark);
  }

  show(on: boolean, collision: boolean): void {
    for (const floor of this.floors) floor.mesh.visible = on && (collision || !floor.onlyCollides);
  }
}
