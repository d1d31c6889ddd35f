// One line over the scene when there is something to say: a lost connection, a simulation that stopped, data on its way.

import { setText } from './dom';
import type { Viewer } from './viewer';

const PATIENCE = 400;

export function watchNotices(viewer: Viewer, holder: HTMLElement): void {
  const live = viewer.player.live;
  let waitingSince = 0;
  viewer.onTurn.push(() => {
    const now = performance.now();
    if (!viewer.waiting) waitingSince = now;
    let text = '';
    if (live && !live.connected) text = 'The connection is lost; trying again …';
    else if (live?.status.message) text = live.status.message;
    else if (now - waitingSince > PATIENCE) text = 'Loading …';
    setText(holder, text);
    holder.hidden = text === '';
  });
}
