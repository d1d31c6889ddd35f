// The panel at the right: charts of the whole run, and a list from which more curves can be chosen.

import { Chart, type ChartPlan } from './chart';
import { element } from './dom';
import { Curve } from './protocol';
import type { Theme } from './theme';
import type { Viewer } from './viewer';

const LIVE_INTERVAL = 250;
/** Long curves are drawn anew less often. */
const POINTS_A_MILLISECOND = 40;
const VALUES_INTERVAL = 80;
const MOST_CHOICES = 60;

const STANDARD: ChartPlan[] = [
  {
    title: 'Energy [J]',
    logarithmic: false,
    curves: [
      { place: Curve.kinetic, label: 'kinetic' },
      { place: Curve.gravity, label: 'gravity' },
      { place: Curve.elastic, label: 'elastic' },
      { place: Curve.total, label: 'total' },
    ],
  },
  { title: 'Step size [s]', logarithmic: true, curves: [{ place: Curve.step, label: 'step' }] },
  { title: 'Contact force [N]', logarithmic: false, curves: [{ place: Curve.force, label: 'force' }] },
];

export class PlotsPanel {
  private readonly charts: Chart[] = [];
  private chosenCharts: Chart[] = [];
  private readonly chosen = new Set<number>();
  private readonly more = element('div', { class: 'more' });
  private lastData = 0;
  private lastValues = 0;
  private shownEnd = NaN;
  private shownTime = NaN;
  private loading = false;

  constructor(
    private readonly viewer: Viewer,
    private readonly panel: HTMLElement,
    theme: Theme,
  ) {
    this.charts = STANDARD.map((plan) => new Chart(viewer, plan));
    panel.append(...this.charts.map((chart) => chart.box), this.more, this.chooser());
    new ResizeObserver(() => this.all().forEach((chart) => chart.resize())).observe(panel);
    theme.onChange.push(() => {
      this.all().forEach((chart) => chart.draw());
      // A new chart has no values yet, and time may stand still.
      this.shownTime = NaN;
    });
    viewer.onTurn.push(() => this.update());
  }

  private all(): Chart[] {
    return [...this.charts, ...this.chosenCharts];
  }

  private get open(): boolean {
    return this.panel.classList.contains('open');
  }

  private update(): void {
    if (!this.open) return;
    const now = performance.now();
    const interval = LIVE_INTERVAL + this.viewer.player.source.count() / POINTS_A_MILLISECOND;
    if (now - this.lastData > interval && this.viewer.player.end !== this.shownEnd && !this.loading) {
      this.lastData = now;
      this.shownEnd = this.viewer.player.end;
      void this.load(this.all());
    }
    const time = this.viewer.player.time;
    if (time === this.shownTime) return;
    const withValues = now - this.lastValues > VALUES_INTERVAL;
    for (const chart of this.all()) {
      chart.showTime(time);
      if (withValues) chart.showValues(time);
    }
    // Without the values, the next turn comes here again even if time stands still by then.
    if (!withValues) return;
    this.shownTime = time;
    this.lastValues = now;
  }

  /** A curve that does not come leaves its chart empty; the scene goes on. */
  private async load(charts: Chart[]): Promise<void> {
    this.loading = true;
    await Promise.allSettled(charts.map((chart) => chart.load()));
    this.loading = false;
    this.shownTime = NaN;
    for (const chart of charts) chart.resize();
  }

  private chooser(): HTMLElement {
    const names = this.viewer.scene.series;
    const search = element('input', { type: 'search', label: 'Find a curve', placeholder: `Find one of ${names.length} curves` });
    const choices = element('div', { class: 'choices' });
    const fill = (): void => this.fillChoices(choices, search.value.trim().toLowerCase());
    search.addEventListener('input', fill);
    fill();
    return element('section', { class: 'choose' }, element('h2', {}, 'More curves'), search, choices);
  }

  private fillChoices(choices: HTMLElement, wanted: string): void {
    const found = this.viewer.scene.series.flatMap((name, place) =>
      place >= Curve.contacts && name.toLowerCase().includes(wanted) ? [{ name, place }] : [],
    );
    const rows = found.slice(0, MOST_CHOICES).map(({ name, place }) => {
      const box = element('input', { type: 'checkbox' });
      box.checked = this.chosen.has(place);
      box.addEventListener('change', () => this.choose(place, box.checked));
      return element('label', {}, box, name);
    });
    choices.replaceChildren(...rows);
    const left = found.length - MOST_CHOICES;
    if (left > 0) choices.append(element('label', { class: 'quiet' }, `and ${left} more: search for them`));
  }

  private choose(place: number, on: boolean): void {
    if (on) this.chosen.add(place);
    else this.chosen.delete(place);
    for (const chart of this.chosenCharts) chart.destroy();
    this.chosenCharts = this.plansOfChosen().map((plan) => new Chart(this.viewer, plan));
    this.more.replaceChildren(...this.chosenCharts.map((chart) => chart.box));
    void this.load(this.chosenCharts);
  }

  /** Positions share a chart, velocities share another. */
  private plansOfChosen(): ChartPlan[] {
    const groups = new Map<string, ChartPlan>();
    const firstV = Curve.first_q + this.viewer.scene.q_names.length;
    for (const place of [...this.chosen].sort((a, b) => a - b)) {
      const title = place === Curve.contacts ? 'Contacts' : place < firstV ? 'Positions q' : 'Velocities v';
      const plan = groups.get(title) ?? { title, curves: [], logarithmic: false };
      plan.curves.push({ place, label: this.viewer.scene.series[place].replace(/^[qv]: /, '') });
      groups.set(title, plan);
    }
    return [...groups.values()];
  }
}
