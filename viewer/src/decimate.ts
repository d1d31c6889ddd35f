// Curves of very many points: in each stretch of time the smallest and the largest value are kept, so that no peak is lost.

export const MOST_POINTS = 20000;

export interface Table {
  times: ArrayLike<number>;
  columns: ArrayLike<number>[];
}

/** Writes the extremes of a stretch in the order in which they come. */
function extremes(column: ArrayLike<number>, from: number, to: number, out: Float64Array, place: number): void {
  let [low, high] = [from, from];
  for (let k = from + 1; k < to; ++k) {
    if (column[k] < column[low]) low = k;
    if (column[k] > column[high]) high = k;
  }
  out[place] = column[Math.min(low, high)];
  out[place + 1] = column[Math.max(low, high)];
}

export function decimate(table: Table): Table {
  const count = table.times.length;
  if (count <= MOST_POINTS) return table;
  const stretches = MOST_POINTS / 2;
  const times = new Float64Array(MOST_POINTS);
  const columns = table.columns.map(() => new Float64Array(MOST_POINTS));
  for (let s = 0; s < stretches; ++s) {
    const from = Math.floor((s * count) / stretches);
    const to = Math.floor(((s + 1) * count) / stretches);
    times[2 * s] = table.times[from];
    times[2 * s + 1] = table.times[Math.max(from, to - 1)];
    table.columns.forEach((column, k) => extremes(column, from, to, columns[k], 2 * s));
  }
  return { times, columns };
}
