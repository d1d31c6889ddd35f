// Triangle meshes: decoding, normals which keep sharp edges sharp, and the colours of their parts.

import { BufferAttribute, BufferGeometry, Color, SRGBColorSpace } from 'three';
import { DataError, type MeshInfo } from './protocol';

const CREASE_COSINE = Math.cos((35 * Math.PI) / 180);

export interface MeshData {
  vertices: Float32Array;
  triangles: Uint32Array;
  radius: number;
}

/** Which triangles of a mesh: those drawn solid, or those whose part has a transparent colour. */
export type MeshLayer = 'solid' | 'clear';

export function decodeMesh(buffer: ArrayBuffer, number: number): MeshData {
  const bad = () => new DataError(`Mesh ${number} is damaged.`);
  if (buffer.byteLength < 8) throw bad();
  const [vertexCount, triangleCount] = new Uint32Array(buffer, 0, 2);
  if (buffer.byteLength < 8 + 12 * (vertexCount + triangleCount)) throw bad();
  const vertices = new Float32Array(buffer, 8, 3 * vertexCount);
  const triangles = new Uint32Array(buffer, 8 + 12 * vertexCount, 3 * triangleCount);
  if (triangles.some((vertex) => vertex >= vertexCount)) throw bad();
  let square = 0;
  for (let i = 0; i < vertices.length; i += 3) {
    square = Math.max(square, vertices[i] ** 2 + vertices[i + 1] ** 2 + vertices[i + 2] ** 2);
  }
  return { vertices, triangles, radius: Math.sqrt(square) };
}

/** Meshes from CAD repeat a vertex in each triangle: the same place gets the same number. */
function weld(vertices: Float32Array): Uint32Array {
  const places = new Map<string, number>();
  const bits = new Uint32Array(vertices.buffer, vertices.byteOffset, vertices.length);
  return Uint32Array.from({ length: vertices.length / 3 }, (_, i) => {
    const key = `${bits[3 * i]},${bits[3 * i + 1]},${bits[3 * i + 2]}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, i);
    return i;
  });
}

/** Normals of the triangles, as long as twice their area, so that large triangles count more in a vertex. */
function faceNormals(mesh: MeshData): Float32Array {
  const { vertices: p, triangles: t } = mesh;
  const normals = new Float32Array(t.length);
  for (let i = 0; i < t.length; i += 3) {
    const [a, b, c] = [3 * t[i], 3 * t[i + 1], 3 * t[i + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    normals[i] = uy * vz - uz * vy;
    normals[i + 1] = uz * vx - ux * vz;
    normals[i + 2] = ux * vy - uy * vx;
  }
  return normals;
}

/** For each vertex the triangles around it: those of vertex v are list[start[v] .. start[v + 1]]. */
function trianglesAround(corners: Uint32Array, vertexCount: number): { start: Uint32Array; list: Uint32Array } {
  const start = new Uint32Array(vertexCount + 1);
  for (const vertex of corners) ++start[vertex + 1];
  for (let v = 0; v < vertexCount; ++v) start[v + 1] += start[v];
  const next = start.slice();
  const list = new Uint32Array(corners.length);
  for (let corner = 0; corner < corners.length; ++corner) list[next[corners[corner]]++] = Math.floor(corner / 3);
  return { start, list };
}

/** A normal for each corner: the mean over the triangles around it that do not bend away by more than the crease angle. */
export function creasedNormals(mesh: MeshData): Float32Array {
  const faces = faceNormals(mesh);
  const lengths = Float32Array.from({ length: faces.length / 3 }, (_, f) => Math.hypot(faces[3 * f], faces[3 * f + 1], faces[3 * f + 2]));
  const welded = weld(mesh.vertices);
  const corners = mesh.triangles.map((vertex) => welded[vertex]);
  const { start, list } = trianglesAround(corners, mesh.vertices.length / 3);
  const normals = new Float32Array(3 * corners.length);
  for (let corner = 0; corner < corners.length; ++corner) {
    const own = 3 * Math.floor(corner / 3);
    let [x, y, z] = [0, 0, 0];
    for (let k = start[corners[corner]]; k < start[corners[corner] + 1]; ++k) {
      const other = 3 * list[k];
      const dot = faces[own] * faces[other] + faces[own + 1] * faces[other + 1] + faces[own + 2] * faces[other + 2];
      if (dot < CREASE_COSINE * lengths[own / 3] * lengths[list[k]]) continue;
      x += faces[other];
      y += faces[other + 1];
      z += faces[other + 2];
    }
    const length = Math.hypot(x, y, z) || 1;
    normals[3 * corner] = x / length;
    normals[3 * corner + 1] = y / length;
    normals[3 * corner + 2] = z / length;
  }
  return normals;
}

/** The part of each triangle, -1 for none. */
function partOfTriangle(info: MeshInfo, triangleCount: number): Int32Array {
  const parts = new Int32Array(triangleCount).fill(-1);
  info.parts.forEach((part, number) => parts.fill(number, part.first, part.first + part.count));
  return parts;
}

export function layersOf(info: MeshInfo): MeshLayer[] {
  const clear = info.parts.filter((part) => part.color[3] < 1);
  if (clear.length === 0) return ['solid'];
  const covered = clear.reduce((sum, part) => sum + part.count, 0);
  return covered >= info.triangles ? ['clear'] : ['solid', 'clear'];
}

/** Triangles of one layer with normals; the attribute `partColor` has a negative alpha where the body's own colour holds. */
export function meshGeometry(mesh: MeshData, info: MeshInfo, layer: MeshLayer): BufferGeometry {
  const normals = creasedNormals(mesh);
  const parts = partOfTriangle(info, mesh.triangles.length / 3);
  const colors = info.parts.map((part) => new Color().setRGB(part.color[0], part.color[1], part.color[2], SRGBColorSpace));
  const chosen: number[] = [];
  parts.forEach((part, triangle) => {
    const clear = part >= 0 && info.parts[part].color[3] < 1;
    if (clear === (layer === 'clear')) chosen.push(triangle);
  });
  const position = new Float32Array(9 * chosen.length);
  const normal = new Float32Array(9 * chosen.length);
  const partColor = new Float32Array(12 * chosen.length).fill(-1);
  chosen.forEach((triangle, place) => {
    for (let k = 0; k < 3; ++k) {
      const vertex = mesh.triangles[3 * triangle + k];
      position.set(mesh.vertices.subarray(3 * vertex, 3 * vertex + 3), 9 * place + 3 * k);
      const part = parts[triangle];
      if (part >= 0) partColor.set([colors[part].r, colors[part].g, colors[part].b, info.parts[part].color[3]], 12 * place + 4 * k);
    }
    normal.set(normals.subarray(9 * triangle, 9 * triangle + 9), 9 * place);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('normal', new BufferAttribute(normal, 3));
  geometry.setAttribute('partColor', new BufferAttribute(partColor, 4));
  return geometry;
}
