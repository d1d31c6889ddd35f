// The scene in the middle of the page: it holds together stage, bodies, camera and time, and draws when something changed.

import { Vector3 } from 'three';
import { AutoCamera } from './auto_camera';
import { Bodies } from './bodies';
import { Bounds } from './bounds';
import { Camera, VIEWS, type ViewName } from './camera';
import { Contacts, automaticScale } from './contacts';
import { Coverage } from './coverage';
import { Floors } from './floor';
import { Labels } from './labels';
import { Markers } from './markers';
import { glowColor } from './materials';
import { decodeMesh, type MeshData } from './meshes';
import { OPTIONS, type OptionName } from './options';
import { Picker, worldPoint } from './picking';
import { Player } from './player';
import { DataError, POSE, type Frame, type Scene } from './protocol';
import { sampleAt, type FrameSource } from './source';
import { Stage } from './stage';
import { AFFINE, placeBodies } from './transforms';

const LONGEST_PAUSE = 0.1;
const PICTURES_COUNTED = 60;
/** Of the radius of all that moves. */
const LONGEST_ARROW = 1.2;
const SLOW_PICTURE = 200;
const SLOW_PICTURES = 5;

export class Viewer {
  readonly scene: Scene;
  readonly player: Player;
  readonly stage: Stage;
  readonly camera: Camera;
  readonly coverage: Coverage;
  readonly picker: Picker;
  readonly contacts: Contacts;
  readonly bounds: Bounds;
  readonly affines: Float32Array;
  readonly options = new Map<OptionName, boolean>(OPTIONS.map((option) => [option.name, option.on]));
  selected = -1;
  frame: Frame | null = null;
  waiting = false;
  drawCalls = 0;
  onSelect: (() => void)[] = [];
  onOption: (() => void)[] = [];
  /** Called in each turn of the loop, whether or not something was drawn. */
  onTurn: (() => void)[] = [];

  private readonly poses: Float32Array;
  private readonly bodies: Bodies;
  private readonly floors: Floors;
  private readonly markers: Markers;
  private readonly labels: Labels;
  private readonly radius: number;
  private readonly autoCamera: AutoCamera;
  private readonly place = new Vector3();
  private shownTime = NaN;
  private dirty = true;
  private lastTurn = 0;
  private pictures = 0;
  private lastRender = 0;
  private slowPictures = 0;
  private readonly scriptTimes = new Float64Array(PICTURES_COUNTED);
  private readonly renderTimes = new Float64Array(PICTURES_COUNTED);

  private constructor(
    source: FrameSource, first: Frame, meshes: Map<number, MeshData>, holder: HTMLElement, canvas: HTMLCanvasElement, labels: HTMLElement,
  ) {
    this.scene = source.scene;
    this.player = new Player(source);
    this.stage = new Stage(holder, canvas);
    this.poses = Float32Array.from(first.poses);
    this.affines = new Float32Array(AFFINE * this.scene.bodies.length);
    placeBodies(this.poses, this.affines);
    this.bounds = new Bounds(this.scene, meshes);
    const size = this.bounds.usualBody(this.affines);
    this.radius = this.stage.sceneRadius = this.bounds.radius(this.affines);
    const world = this.stage.world;
    this.bodies = new Bodies(this.scene, meshes, world);
    this.coverage = new Coverage(this.stage, this.bodies);
    this.floors = new Floors(this.scene, this.radius, this.bounds.lowest(this.affines), world);
    this.contacts = new Contacts(this.scene, size, LONGEST_ARROW * this.radius, automaticScale(this.scene, size), world);
    this.markers = new Markers(this.scene, size, world);
    this.labels = new Labels(this.scene, labels);
    this.picker = new Picker(this.scene, meshes);
    this.camera = new Camera(this.stage, () => this.redraw());
    const show = (frame: Frame): void => this.putBodies(frame.poses);
    const lookThrough = (): void => this.setOption('transparent', true);
    this.autoCamera = new AutoCamera(this.camera, this.bounds, this.coverage, this.affines, show, lookThrough);
    this.putBodies(first.poses);
    new ResizeObserver(() => this.resize()).observe(holder);
  }

  static async open(source: FrameSource, holder: HTMLElement, canvas: HTMLCanvasElement, labels: HTMLElement): Promise<Viewer> {
    const wanted = source.scene.bodies.flatMap((body) => body.geometry.flatMap((one) => (one.shape === 'mesh' ? [one.mesh] : [])));
    const missing = wanted.find((mesh) => !source.scene.meshes[mesh]);
    if (missing !== undefined) throw new DataError(`The scene shows mesh ${missing}, which it does not describe.`);
    const meshes = new Map<number, MeshData>();
    await Promise.all([...new Set(wanted)].map(async (mesh) => meshes.set(mesh, decodeMesh(await source.loadMesh(mesh), mesh))));
    const first = await source.loadFrame(0);
    if (first.poses.length !== POSE * source.scene.bodies.length) throw new DataError('The frames do not have as many bodies as the scene.');
    const viewer = new Viewer(source, first, meshes, holder, canvas, labels);
    if (source.mode === 'replay') viewer.autoCamera.setCourse(await source.loadCourse());
    viewer.autoCamera.reset(first.time);
    viewer.putBodies(first.poses);
    return viewer;
  }

  /** Of the last pictures: what our own script took, without the calls to the graphics driver, which wait where it is busy. */
  get scriptMilliseconds(): number {
    return this.middle(this.scriptTimes);
  }

  get renderMilliseconds(): number {
    return this.middle(this.renderTimes);
  }

  redraw(): void {
    this.dirty = true;
  }

  setOption(name: OptionName, on: boolean): void {
    this.options.set(name, on);
    switch (name) {
      case 'contacts': this.contacts.showPoints = on; break;
      case 'forces': this.contacts.showForces = on; break;
      case 'labels': this.labels.show(on); break;
      case 'bodyFrames': case 'jointFrames': case 'centers': this.markers.show(name, on); break;
      case 'collision': this.bodies.showCollision(on); this.picker.includeCollision = on; break;
      case 'transparent': this.bodies.setTransparent(on); break;
      case 'wireframe': this.bodies.setWireframe(on); break;
      case 'floor': break;
      case 'shadows': this.stage.showShadows(on); break;
    }
    this.floors.show(this.options.get('floor')!, this.options.get('collision')!);
    this.updateScene();
    for (const listener of this.onOption) listener();
  }

  select(body: number): void {
    this.selected = body;
    this.bodies.select(body);
    if (this.camera.followed >= 0) this.follow(body);
    this.redraw();
    for (const listener of this.onSelect) listener();
  }

  follow(body: number): void {
    this.camera.follow(body, this.centerOf(Math.max(body, 0)).clone(), body < 0 ? 1 : this.bounds.bodyRadius(body, this.affines) || this.radius / 4);
    this.redraw();
  }

  /** Everything that matters in the picture, from a set side or from where one looks now; what moves is then kept there. */
  look(view?: ViewName): void {
    const way = view ? VIEWS[view] : this.camera.way;
    this.camera.followed = -1;
    this.camera.automatic = true;
    this.autoCamera.look(way, this.player.time);
    this.redraw();
  }

  /** As it was when the page was opened. */
  resetCamera(): void {
    this.camera.followed = -1;
    this.camera.automatic = true;
    this.autoCamera.reset(this.player.time);
    this.redraw();
  }

  setForceScale(scale: number): void {
    this.contacts.scale = scale;
    this.updateScene();
  }

  setTheme(dark: boolean): void {
    this.stage.setTheme(dark);
    this.floors.setTheme(dark);
    glowColor.value.set(dark ? 0x3f9bff : 0x1b7fff);
    this.redraw();
  }

  centerOf(body: number): Vector3 {
    return this.place.fromArray(worldPoint(this.affines, body, this.scene.bodies[body].center));
  }

  focus(body: number): void {
    const radius = this.bounds.bodyRadius(body, this.affines) || this.radius / 4;
    this.camera.focus(this.centerOf(body).clone(), 2.5 * radius);
  }

  run(): void {
    const turn = (now: number): void => {
      requestAnimationFrame(turn);
      const begin = performance.now();
      if (this.player.playing) this.spareSlowMachines(now - this.lastTurn);
      // The browser's time of a picture may lie before the moment at which the loop was begun.
      this.player.advance(Math.min(Math.max(now - this.lastTurn, 0) / 1000, LONGEST_PAUSE));
      const drawn = this.refresh();
      if (this.camera.free) this.autoCamera.turn(Math.max(now - this.lastTurn, 0) / 1000);
      this.lastTurn = now;
      for (const listener of this.onTurn) listener();
      if (!drawn) return;
      const place = this.pictures++ % PICTURES_COUNTED;
      this.renderTimes[place] = this.lastRender;
      this.scriptTimes[place] = performance.now() - begin - this.lastRender;
    };
    this.lastTurn = performance.now();
    requestAnimationFrame(turn);
  }

  /** Where pictures take long, as without a graphics card, shadows are the first to go; one can have them back. */
  private spareSlowMachines(milliseconds: number): void {
    this.slowPictures = milliseconds > SLOW_PICTURE ? this.slowPictures + 1 : 0;
    if (this.slowPictures === SLOW_PICTURES && this.options.get('shadows')) this.setOption('shadows', false);
  }

  /** Shows exactly this time, when its frames are here. */
  async seek(time: number): Promise<void> {
    if (this.player.source.mode === 'replay') this.player.pause();
    this.player.seek(time);
    const index = sampleAt(this.player.source, this.player.time);
    await this.player.source.loadFrame(index);
    if (index + 1 < this.player.source.count()) await this.player.source.loadFrame(index + 1);
    this.redraw();
    this.refresh();
  }

  /** Brings the picture up to date; true if it was drawn anew. */
  refresh(): boolean {
    this.readTime();
    this.camera.orbit.update();
    if (!this.dirty) return false;
    this.dirty = false;
    const target = this.camera.target;
    const distance = this.camera.distance;
    this.floors.update(this.affines, target, 3 * distance + 4 * this.radius, distance / 12);
    this.stage.aimSun(target, Math.min(0.9 * distance, 3 * this.radius));
    this.stage.setDepthRange(distance);
    this.labels.update(this.affines, this.stage.camera);
    const begin = performance.now();
    this.stage.render();
    this.lastRender = performance.now() - begin;
    this.drawCalls = this.stage.renderer.info.render.calls;
    return true;
  }

  private middle(times: Float64Array): number {
    const counted = times.slice(0, Math.min(this.pictures, PICTURES_COUNTED)).sort();
    return counted.length > 0 ? counted[counted.length >> 1] : 0;
  }

  private readTime(): void {
    const frame = this.player.time === this.shownTime && this.frame === this.newest() ? this.frame : this.player.sample(this.poses);
    this.waiting = frame === null;
    if (!frame || (frame === this.frame && this.player.time === this.shownTime)) return;
    this.frame = frame;
    this.shownTime = this.player.time;
    this.updateScene();
    if (this.player.live?.takeRestart()) this.resetCamera();
  }

  /** In a simulation the same time may come again with another frame, when something was changed at rest. */
  private newest(): Frame | null {
    return this.player.following ? this.player.source.frameAt(this.player.source.count() - 1) : this.frame;
  }

  private updateScene(): void {
    this.putBodies(this.poses);
    this.markers.update(this.affines);
    if (this.frame) this.contacts.update(this.frame);
    if (this.camera.followed >= 0) this.camera.carry(this.centerOf(this.camera.followed));
    else if (this.camera.free && Number.isFinite(this.shownTime)) this.autoCamera.update(this.shownTime);
    this.redraw();
  }

  private putBodies(poses: Float32Array): void {
    placeBodies(poses, this.affines);
    this.bodies.update(this.affines);
  }

  private resize(): void {
    this.stage.resize();
    if (this.camera.free) this.autoCamera.reshape(this.player.time);
    this.redraw();
    this.refresh();
  }
}
