// A list of which only the rows in sight exist: a thousand bodies cost as much as twenty.

import { element, setText } from './dom';

const ROW = 28;
const EXTRA = 4;

export interface Row {
  id: number;
  name: string;
  note: string;
}

export class VirtualList {
  readonly box: HTMLElement;
  private readonly space = element('div', { class: 'space' });
  private readonly pool: HTMLElement[] = [];
  private rows: Row[] = [];
  private selected = -1;

  constructor(
    label: string,
    private readonly onPick: (id: number) => void,
  ) {
    this.box = element('div', { class: 'list', label }, this.space);
    this.box.setAttribute('role', 'listbox');
    this.box.tabIndex = 0;
    this.box.addEventListener('scroll', () => this.draw());
    this.box.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  setRows(rows: Row[]): void {
    this.rows = rows;
    this.space.style.height = `${ROW * rows.length}px`;
    this.draw();
  }

  select(id: number): void {
    this.selected = id;
    const place = this.rows.findIndex((row) => row.id === id);
    if (place >= 0) this.bringToSight(place);
    this.draw();
  }

  private bringToSight(place: number): void {
    const [top, height] = [this.box.scrollTop, this.box.clientHeight];
    if (height === 0) return;
    if (ROW * place < top) this.box.scrollTop = ROW * place;
    else if (ROW * (place + 1) > top + height) this.box.scrollTop = ROW * (place + 1) - height;
  }

  private key(event: KeyboardEvent): void {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (!move || this.rows.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const here = this.rows.findIndex((row) => row.id === this.selected);
    const next = Math.min(Math.max(here + move, 0), this.rows.length - 1);
    this.onPick(this.rows[next].id);
  }

  private draw(): void {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - EXTRA);
    const count = Math.min(this.rows.length - first, Math.ceil(this.box.clientHeight / ROW) + 2 * EXTRA);
    for (let k = 0; k < Math.max(count, this.pool.length); ++k) {
      const item = this.item(k);
      item.hidden = k >= count;
      if (k >= count) continue;
      const row = this.rows[first + k];
      item.dataset.id = String(row.id);
      item.style.top = `${ROW * (first + k)}px`;
      item.setAttribute('aria-selected', String(row.id === this.selected));
      setText(item.children[0] as HTMLElement, row.name);
      setText(item.children[1] as HTMLElement, row.note);
    }
  }

  private item(k: number): HTMLElement {
    if (!this.pool[k]) {
      const item = element('div', { class: 'item' }, element('span'), element('span'));
      item.setAttribute('role', 'option');
      item.addEventListener('click', () => this.onPick(Number(item.dataset.id)));
      this.pool[k] = item;
      this.space.append(item);
    }
    return this.pool[k];
  }
}
