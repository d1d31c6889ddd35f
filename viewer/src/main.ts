// The page begins here: it finds its data, opens the viewer and puts the controls around it.

import 'uplot/dist/uPlot.min.css';
import './style.css';
import { addActuators } from './actuators';
import { PageApi, nextPicture } from './api';
import { byId, setText } from './dom';
import { Drag } from './drag';
import { fetchText } from './fetching';
import { listenToKeys, toggleHelp } from './keyboard';
import { watchNotices } from './notice';
import { BodiesPanel } from './panel';
import { PlotsPanel } from './plots';
import { listenToPointer } from './pointer';
import { DataError, readScene } from './protocol';
import type { FrameSource } from './source';
import { EmbeddedSource } from './source_embedded';
import { LiveSource } from './source_live';
import { ReplaySource } from './source_replay';
import { Theme } from './theme';
import { Panels, addTools } from './tools';
import { Transport } from './transport';
import { Viewer } from './viewer';

/** The first ones take long. */
const PICTURES_FIRST = 2;

declare global {
  interface Window {
    stickslip: PageApi;
  }
}

async function openSource(): Promise<FrameSource> {
  if (EmbeddedSource.isPresent()) return EmbeddedSource.open();
  if (location.protocol === 'file:') {
    throw new DataError('This file holds no recording. Run "stickslip view SCENE" to look at a scene, or save a run as .html.');
  }
  const scene = readScene(await fetchText('scene.json'));
  return scene.mode === 'replay' ? ReplaySource.open(scene) : new LiveSource(scene);
}

function describe(source: FrameSource): void {
  const { scene } = source;
  document.title = `${scene.name} – Stickslip`;
  setText(byId('scene-name'), scene.name);
  const accuracy = scene.accuracy ? ` · accuracy ${scene.accuracy}` : '';
  setText(byId('scene-facts'), `${source.mode} · ${scene.bodies.length - 1} bodies · ${scene.method}${accuracy}`);
}

/** Wishes in the address: #chrome=0&t=1.5&play=0 */
async function obeyAddress(api: PageApi, viewer: Viewer): Promise<void> {
  const wishes = new URLSearchParams(location.hash.slice(1));
  if (wishes.get('chrome') === '0') api.hideChrome(true);
  const time = Number(wishes.get('t') ?? NaN);
  if (Number.isFinite(time)) await viewer.seek(time);
  const still = Number.isFinite(time) || wishes.get('play') === '0' || matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (viewer.player.source.mode === 'replay' && !still) viewer.player.play();
}

function showFailure(error: unknown): void {
  const sentence = error instanceof DataError ? error.message : `The page failed: ${error instanceof Error ? error.message : String(error)}`;
  document.body.classList.add('failed');
  byId('notice').hidden = true;
  const failure = byId('failure');
  failure.hidden = false;
  setText(failure, sentence);
}

/** Everything around the scene. */
function addControls(viewer: Viewer, theme: Theme): void {
  const panels = new Panels();
  const live = viewer.player.source.mode === 'live' ? viewer.player.live : null;
  const transport = new Transport(viewer, byId('transport'));
  new BodiesPanel(viewer, byId('bodies-panel'));
  new PlotsPanel(viewer, byId('plots-panel'), theme);
  const drag = live ? new Drag(viewer, live, byId('scene')) : null;
  if (live) addActuators(viewer, live, byId('bodies-panel'));
  addTools(viewer, theme, panels, drag, toggleHelp);
  listenToPointer(viewer);
  listenToKeys(viewer, transport, theme, panels);
  watchNotices(viewer, byId('notice'));
}

async function begin(): Promise<void> {
  const api = new PageApi();
  window.stickslip = api;
  const theme = new Theme();
  try {
    setText(byId('notice'), 'Loading …');
    byId('notice').hidden = false;
    const source = await openSource();
    describe(source);
    const viewer = await Viewer.open(source, byId('scene'), byId<HTMLCanvasElement>('canvas'), byId('labels'));
    theme.onChange.push((dark) => viewer.setTheme(dark));
    addControls(viewer, theme);
    theme.apply();
    viewer.stage.prepare();
    viewer.run();
    // What happens first is often all there is to see: it begins when pictures come.
    for (let picture = 0; picture < PICTURES_FIRST; ++picture) await nextPicture();
    viewer.player.live?.sayReady();
    await obeyAddress(api, viewer);
    api.open(viewer);
  } catch (error) {
    showFailure(error);
    api.fail(error);
  }
}

void begin();
