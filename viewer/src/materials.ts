// The materials of bodies. Three's own are extended by what each instance brings: opacity, a glow when selected, a capsule's stretch.

import {
  Color, MeshDepthMaterial, MeshStandardMaterial, RGBADepthPacking, ShaderMaterial, type Material, type WebGLProgramParametersWithUniforms,
} from 'three';
import { after } from './shaders';

export type Bucket = 'opaque' | 'transparent' | 'collision';

export interface MaterialKind {
  bucket: Bucket;
  capsule: boolean;
  parts: boolean;
}

/** Shared by all materials, so that a theme changes it once. */
export const glowColor = { value: new Color(0x2f8fff) };
/** How strongly bodies mirror the sky. */
export const sky = { value: 1 };

// Seen at a flat angle, a body mirrors a little of the sky. By formula, since a map of the surroundings costs far more than all the rest.
const SHEEN = `
  vec3 toEye = normalize(vViewPosition);
  float aslant = 1.0 - saturate(abs(dot(normal, toEye)));
  float skyward = dot(reflect(-toEye, normal), (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
  vec3 mirrored = mix(vec3(0.3), vec3(0.92, 1.0, 1.1), smoothstep(-0.3, 0.8, skyward));
  totalEmissiveRadiance += sky * (0.012 + 0.32 * aslant * aslant * aslant) * mirrored;
  totalEmissiveRadiance += glowColor * vLook.y * (0.04 + 0.9 * aslant * aslant);`;

function stretchVertices(source: string): string {
  return after(source, 'begin_vertex', 'transformed.z += capEnd * look.z;');
}

function extend(kind: MaterialKind, shader: WebGLProgramParametersWithUniforms): void {
  shader.uniforms.glowColor = glowColor;
  shader.uniforms.sky = sky;
  let vertex = after(
    shader.vertexShader,
    'common',
    `attribute vec4 look; varying vec2 vLook;
     ${kind.capsule ? 'attribute float capEnd;' : ''}
     ${kind.parts ? 'attribute vec4 partColor; varying vec4 vPart;' : ''}`,
  );
  if (kind.capsule) vertex = stretchVertices(vertex);
  shader.vertexShader = after(vertex, 'begin_vertex', `vLook = look.xy; ${kind.parts ? 'vPart = partColor;' : ''}`);
  let fragment = after(
    shader.fragmentShader,
    'common',
    `varying vec2 vLook; uniform vec3 glowColor; uniform float sky; ${kind.parts ? 'varying vec4 vPart;' : ''}`,
  );
  const paint = kind.parts
    ? 'if (vPart.a >= 0.0) { diffuseColor.rgb = vPart.rgb; diffuseColor.a *= vPart.a; }'
    : '';
  const tint = 'diffuseColor.a *= vLook.x; diffuseColor.rgb = mix(diffuseColor.rgb, glowColor, 0.5 * vLook.y);';
  fragment = after(fragment, 'color_fragment', `${paint} ${tint}`);
  shader.fragmentShader = after(fragment, 'emissivemap_fragment', SHEEN);
}

export function bodyMaterial(kind: MaterialKind): MeshStandardMaterial {
  const clear = kind.bucket !== 'opaque';
  const material = new MeshStandardMaterial({ roughness: 0.55, metalness: 0, transparent: clear, depthWrite: !clear });
  material.onBeforeCompile = (shader) => extend(kind, shader);
  material.customProgramCacheKey = () => `body ${kind.capsule} ${kind.parts}`;
  return material;
}

/** Shadows of capsules need the stretch too. */
export function capsuleShadowMaterial(): Material {
  const material = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = stretchVertices(after(shader.vertexShader, 'common', 'attribute vec4 look; attribute float capEnd;'));
  };
  return material;
}

/** One where all is drawn so that one looks through it. */
export const seeThrough = { value: 0 };

/** For counting pixels: what moves is red, all else black, and scenery that one looks through is not there. */
export function countingMaterial(kind: MaterialKind): Material {
  return new ShaderMaterial({
    uniforms: { seeThrough },
    vertexShader: `
      attribute vec4 look; ${kind.capsule ? 'attribute float capEnd;' : ''} varying float vMoves;
      void main() {
        vec3 place = position;
        ${kind.capsule ? 'place.z += capEnd * look.z;' : ''}
        vMoves = look.w;
        gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(place, 1.0);
      }`,
    fragmentShader: `
      varying float vMoves; uniform float seeThrough;
      void main() {
        if (vMoves < 0.5 && seeThrough + ${kind.bucket === 'opaque' ? '0.0' : '1.0'} > 0.5) discard;
        gl_FragColor = vec4(vMoves, 0.0, 0.0, 1.0);
      }`,
  });
}
