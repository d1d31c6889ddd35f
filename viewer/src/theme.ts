// Light or dark: as the system wishes, until the reader says otherwise.

const KEY = 'stickslip-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

/** Storage is refused in some places, for one to pages opened as files. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(value: string): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}

export class Theme {
  onChange: ((dark: boolean) => void)[] = [];
  private chosen = stored();

  constructor() {
    system.addEventListener('change', () => this.apply());
    this.apply();
  }

  get dark(): boolean {
    return this.chosen ? this.chosen === 'dark' : system.matches;
  }

  toggle(): void {
    this.chosen = this.dark ? 'light' : 'dark';
    store(this.chosen);
    this.apply();
  }

  apply(): void {
    document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
    for (const listener of this.onChange) listener(this.dark);
  }
}
