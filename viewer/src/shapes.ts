// The unit shapes that all bodies share, and what of a geometry is left to its instance: a scale, and a capsule's stretch.

import { BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, SphereGeometry } from 'three';
import type { Geometry, Vec3 } from './protocol';

export type UnitShape = 'ball' | 'box' | 'cylinder' | 'capsule';

export interface ShapeInstance {
  unit: UnitShape;
  scale: Vec3;
  /** Half the length between a capsule's caps, in radii. */
  stretch: number;
}

export function shapeInstance(geometry: Geometry): ShapeInstance | null {
  switch (geometry.shape) {
    case 'sphere':
      return { unit: 'ball', scale: [geometry.radius, geometry.radius, geometry.radius], stretch: 0 };
    case 'ellipsoid':
      return { unit: 'ball', scale: geometry.radii, stretch: 0 };
    case 'box':
      return { unit: 'box', scale: geometry.size, stretch: 0 };
    case 'cylinder':
      return { unit: 'cylinder', scale: [geometry.radius, geometry.radius, geometry.length], stretch: 0 };
    case 'capsule': {
      const r = geometry.radius;
      return { unit: 'capsule', scale: [r, r, r], stretch: geometry.length / 2 / r };
    }
    default:
      return null;
  }
}

/** Rings of a ball, its equator doubled: the attribute `capEnd` says to which end a vertex belongs, and the shader pulls them apart. */
function capsuleGeometry(around: number, rings: number): BufferGeometry {
  const positions: number[] = [];
  const ends: number[] = [];
  const index: number[] = [];
  for (const end of [1, -1]) {
    for (let ring = 0; ring <= rings; ++ring) {
      const height = end > 0 ? Math.PI / 2 - (ring / rings) * (Math.PI / 2) : -(ring / rings) * (Math.PI / 2);
      for (let k = 0; k <= around; ++k) {
        const angle = (k / around) * 2 * Math.PI;
        positions.push(Math.cos(height) * Math.cos(angle), Math.cos(height) * Math.sin(angle), Math.sin(height));
        ends.push(end);
      }
    }
  }
  const row = around + 1;
  for (let ring = 0; ring < 2 * rings + 1; ++ring) {
    for (let k = 0; k < around; ++k) {
      const a = ring * row + k;
      index.push(a, a + row, a + 1, a + 1, a + row, a + row + 1);
    }
  }
  const geometry = new BufferGeometry();
  const points = new BufferAttribute(new Float32Array(positions), 3);
  geometry.setAttribute('position', points);
  geometry.setAttribute('normal', points.clone());
  geometry.setAttribute('capEnd', new BufferAttribute(new Float32Array(ends), 1));
  geometry.setIndex(index);
  return geometry;
}

/** Rounder where there are few, since nobody sees the facets of one among a thousand. */
export function unitGeometry(unit: UnitShape, instances: number): BufferGeometry {
  const many = instances > 300;
  const around = many ? 16 : 48;
  switch (unit) {
    case 'ball':
      return new SphereGeometry(1, around, many ? 10 : 28).rotateX(Math.PI / 2);
    case 'box':
      return new BoxGeometry(1, 1, 1);
    case 'cylinder':
      return new CylinderGeometry(1, 1, 1, around).rotateX(Math.PI / 2);
    case 'capsule':
      return capsuleGeometry(around, many ? 5 : 12);
  }
}
