// Colours for what files give none: each body that moves has its own, and scenery is quiet.

import type { Body, Rgba } from './protocol';

const MOVING = ['#4a7fb5', '#e0883a', '#5b9f63', '#b8639b', '#3fa3a3', '#d1605b', '#8f78bd', '#c9a23a', '#6d8fd6', '#a3784f'];
const STILL = ['#a9b1ba', '#b9aea0', '#9fb0a8', '#b3a9b8'];
const GROUND: Rgba = [0.5, 0.5, 0.5, 1];

function rgba(hex: string): Rgba {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255, 1];
}

export function colorBodies(bodies: Body[]): void {
  let [moving, still] = [0, 0];
  for (const body of bodies) {
    const plain = body.geometry.filter((geometry) => geometry.color === null);
    for (const geometry of plain) if (geometry.shape === 'half_space') geometry.color = GROUND;
    if (!plain.some((geometry) => geometry.color === null && geometry.visible)) {
      for (const geometry of plain) geometry.color ??= GROUND;
      continue;
    }
    const color = body.moves || body.driven ? MOVING[moving++ % MOVING.length] : STILL[still++ % STILL.length];
    for (const geometry of plain) geometry.color ??= rgba(color);
  }
}
