// One line over the scene when there is something to say: a lost connection, a simulation that stopped, data on its way.

import { setText } from './dom';
import type { Viewer } from './viewer';

const PATIENCE = 400;

export function watchNotices(viewer: Viewer, holder: HTMLElement): void {
  let waitingSince = 0;
  viewer.onTurn.push(() => {
    const now = performance.now();
    if (!viewer.waiting) waitingSince = now;
    const waited = now - waitingSince > PATIENCE;
    const paused = viewer.player.live?.waitsForPlay ? 'Paused: Space or ▶ starts it' : '';
    const text = viewer.player.source.trouble || (waited ? 'Loading …' : paused);
    setText(holder, text);
    holder.hidden = text === '';
  });
}
