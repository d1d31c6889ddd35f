// One chart: curves over time, with a line at the time that is looked at. Pressing in it goes there.

import uPlot from 'uplot';
import { decimate } from './decimate';
import { element, number } from './dom';
import type { CurveData } from './source';
import type { Viewer } from './viewer';

const HEIGHT = 132;
const COLORS = ['#2f80e7', '#e5843c', '#2fa878', '#8b97a8', '#a569dc', '#dc4c74', '#1ea6bb', '#b79c1d'];

export interface ChartPlan {
  title: string;
  /** Places in the scene's `series`, and what the legend calls them. */
  curves: { place: number; label: string }[];
  logarithmic: boolean;
}

function cssColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axisNumber(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size < 1e-3 || size >= 1e5 ? value.toExponential(0).replace('e+', 'e') : String(Number(value.toPrecision(4)));
}

export class Chart {
  readonly box = element('section', { class: 'chart' });
  private readonly holder = element('div', { class: 'plot' });
  private readonly mark = element('div', { class: 'mark' });
  private plot: uPlot | null = null;
  private data: uPlot.AlignedData = [[]];
  private shownPlace = -1;

  constructor(
    private readonly viewer: Viewer,
    readonly plan: ChartPlan,
  ) {
    this.box.append(element('div', { class: 'head' }, element('h2', {}, plan.title)), this.holder);
  }

  /** Takes the curves anew; their times are the same, since they come from the same samples. */
  async load(): Promise<void> {
    const source = this.viewer.player.source;
    const curves = await Promise.all(this.plan.curves.map((curve) => source.loadCurve(curve.place)));
    this.data = this.tidy(curves);
    this.plot?.setData(this.data);
  }

  /** Builds the plot for the width and the colours of now. */
  draw(): void {
    const width = this.holder.clientWidth;
    if (width === 0) return;
    this.plot?.destroy();
    this.plot = new uPlot(this.options(width), this.data, this.holder);
    this.plot.over.append(this.mark);
    this.listen(this.plot);
    this.shownPlace = -1;
    this.showTime(this.viewer.player.time);
  }

  resize(): void {
    const width = this.holder.clientWidth;
    if (width === 0) return;
    if (!this.plot) this.draw();
    else if (this.plot.width !== width) this.plot.setSize({ width, height: HEIGHT });
  }

  showTime(time: number): void {
    if (!this.plot || this.data[0].length === 0) return;
    const { min, max } = this.plot.scales.x;
    this.mark.hidden = min == null || max == null || time < min || time > max;
    this.mark.style.transform = `translateX(${this.plot.valToPos(time, 'x')}px)`;
  }

  /** The legend gives the values at this time, unless the pointer asks for another. */
  showValues(time: number): void {
    if (!this.plot || (this.plot.cursor.left ?? -1) >= 0 || this.data[0].length === 0) return;
    const place = this.plot.valToIdx(time);
    if (place === this.shownPlace) return;
    this.shownPlace = place;
    this.plot.setLegend({ idx: place }, false);
  }

  destroy(): void {
    this.plot?.destroy();
    this.box.remove();
  }

  private tidy(curves: CurveData[]): uPlot.AlignedData {
    const length = Math.min(...curves.map((curve) => Math.min(curve.values.length, curve.times.length)));
    const cut = (values: ArrayLike<number>): number[] => Array.from({ length }, (_, k) => values[k]);
    const table = decimate({ times: cut(curves[0].times), columns: curves.map((curve) => cut(curve.values)) });
    const drawable = (value: number): number | null => (!Number.isFinite(value) || (this.plan.logarithmic && value <= 0) ? null : value);
    return [Array.from(table.times), ...table.columns.map((column) => Array.from(column, drawable))];
  }

  private options(width: number): uPlot.Options {
    const axis = { stroke: cssColor('--faint'), font: '10px system-ui', ticks: { show: false }, grid: { stroke: cssColor('--line'), width: 1 } };
    return {
      width,
      height: HEIGHT,
      padding: [6, 12, 0, 0],
      cursor: { drag: { x: false, y: false }, sync: { key: 'stickslip' }, points: { size: 5 }, y: false },
      scales: { x: { time: false }, y: { distr: this.plan.logarithmic ? 3 : 1, range: this.plan.logarithmic ? undefined : rangeOf } },
      axes: [
        { ...axis, size: 22, gap: 2 },
        {
          ...axis,
          size: 46,
          gap: 3,
          grid: this.plan.logarithmic ? { ...axis.grid, filter: powersOfTen } : axis.grid,
          values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : axisNumber(tick))),
        },
      ],
      series: [
        {},
        ...this.plan.curves.map((curve, k) => ({
          label: curve.label,
          stroke: COLORS[k % COLORS.length],
          width: 1.5,
          points: { show: false },
          value: (_: uPlot, value: number | null) => (value === null ? '–' : number(value)),
        })),
      ],
    };
  }

  private listen(plot: uPlot): void {
    const go = (event: PointerEvent): void => {
      this.viewer.player.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
    };
    plot.over.addEventListener('pointerdown', (event) => {
      plot.over.setPointerCapture(event.pointerId);
      if (this.viewer.player.source.mode === 'replay') this.viewer.player.pause();
      go(event);
    });
    plot.over.addEventListener('pointermove', (event) => {
      if (plot.over.hasPointerCapture(event.pointerId)) go(event);
    });
  }
}

/** A logarithmic axis has a line for each power of ten and none between. */
function powersOfTen(_plot: uPlot, ticks: number[]): (number | null)[] {
  return ticks.map((tick) => (Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-6 ? tick : null));
}

/** A curve that stands still is drawn in the middle rather than along an edge. */
function rangeOf(_plot: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null || (low === 0 && high === 0)) return [0, 1];
  const span = high - low;
  const room = span > 1e-12 * Math.max(Math.abs(low), Math.abs(high)) ? 0.07 * span : Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}
