// A simulation that runs now. The newest frames are kept in a ring, so that one can look back for a while.

import { fetchBytes } from './fetching';
import { DataError, curveValue, decodeFrame, type Frame, type Mode, type Scene, type Vec3 } from './protocol';
import type { CurveData, FrameSource } from './source';

const MOST_FRAMES = 20000;
const MOST_BYTES = 160e6;
const SHORTEST_WAIT = 500;
const LONGEST_WAIT = 5000;

export interface Status {
  playing: boolean;
  speed: number;
  rate: number;
  message: string;
}

export type Command =
  | { do: 'play' | 'pause' | 'step' | 'reset' | 'drop' }
  | { do: 'speed'; value: number }
  | { do: 'control'; index: number; value: number }
  | { do: 'drag'; body: number; point: Vec3; target: Vec3 };

export class LiveSource implements FrameSource {
  readonly mode: Mode;
  status: Status = { playing: false, speed: 1, rate: 0, message: '' };
  onStatus: () => void = () => {};

  // The ring: frames[first .. ] are alive. The dead ones before are cut off now and then, which keeps each frame's cost constant.
  private frames: Frame[] = [];
  private first = 0;
  private bytes = 0;
  private socket: WebSocket | null = null;
  private connected = false;
  private wait = SHORTEST_WAIT;
  private heard = false;
  private restarted = false;
  private ready = false;
  private waiters: ((frame: Frame) => void)[] = [];

  constructor(readonly scene: Scene) {
    this.mode = scene.mode;
    this.connect();
  }

  get trouble(): string {
    return this.connected ? this.status.message : 'The connection is lost; trying again …';
  }

  /** It stands at its start until somebody presses play. */
  get waitsForPlay(): boolean {
    return this.mode === 'live' && this.heard && !this.status.playing && this.count() === 1;
  }

  send(command: Command): void {
    this.sendObject(command);
  }

  /** The first picture is there: the simulation may begin. */
  sayReady(): void {
    this.ready = true;
    this.sendObject({ do: 'ready' });
  }

  private sendObject(message: object): void {
    if (this.mode === 'live' && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** The first frame, whenever it comes. */
  firstFrame(): Promise<Frame> {
    if (this.count() > 0) return Promise.resolve(this.frames[this.first]);
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  count(): number {
    return this.frames.length - this.first;
  }

  timeAt(index: number): number {
    return this.frames[this.first + index].time;
  }

  frameAt(index: number): Frame | null {
    return this.frames[this.first + index] ?? null;
  }

  loadFrame(index: number): Promise<Frame> {
    const frame = this.frameAt(index);
    return frame ? Promise.resolve(frame) : this.firstFrame();
  }

  loadCourse(): Promise<Frame[]> {
    return Promise.resolve([]);
  }

  loadMesh(index: number): Promise<ArrayBuffer> {
    return fetchBytes(`mesh/${index}`);
  }

  loadCurve(curve: number): Promise<CurveData> {
    const alive = this.frames.slice(this.first);
    const times = Float64Array.from(alive, (frame) => frame.time);
    const values = Float32Array.from(alive, (frame) => curveValue(frame, curve));
    return Promise.resolve({ times, values });
  }

  private connect(): void {
    const address = new URL('live', document.baseURI);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    address.hash = '';
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.wait = SHORTEST_WAIT;
      this.connected = true;
      if (this.ready) this.sayReady();
    };
    socket.onmessage = (event) => this.receive(event.data as ArrayBuffer | string);
    socket.onclose = () => {
      this.connected = false;
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
    this.socket = socket;
  }

  private receive(data: ArrayBuffer | string): void {
    if (typeof data === 'string') {
      this.readStatus(data);
      return;
    }
    try {
      this.keep(decodeFrame(data));
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      this.status = { ...this.status, message: error.message };
      this.onStatus();
    }
  }

  private readStatus(text: string): void {
    let message: Partial<Status> & { type?: string };
    try {
      message = JSON.parse(text) as typeof message;
    } catch {
      return;
    }
    if (message.type !== 'status') return;
    this.heard = true;
    this.status = {
      playing: message.playing ?? false,
      speed: message.speed ?? 1,
      rate: message.rate ?? 0,
      message: message.message ?? '',
    };
    this.onStatus();
  }

  private keep(frame: Frame): void {
    const last = this.frames[this.frames.length - 1];
    // Time that runs backwards is a reset: what was before belongs to another run.
    if (last && this.count() > 0 && frame.time < last.time) this.beginAgain();
    if (last && this.count() > 0 && frame.time === last.time) this.bytes -= this.frames.pop()!.bytes;
    this.frames.push(frame);
    this.bytes += frame.bytes;
    while (this.count() > MOST_FRAMES || (this.bytes > MOST_BYTES && this.count() > 2)) this.bytes -= this.frames[this.first++].bytes;
    if (this.first > 64) {
      this.frames.splice(0, this.first);
      this.first = 0;
    }
    for (const resolve of this.waiters.splice(0)) resolve(frame);
  }

  /** Whether the simulation began anew since the last call. */
  takeRestart(): boolean {
    const restarted = this.restarted;
    this.restarted = false;
    return restarted;
  }

  private beginAgain(): void {
    this.restarted = true;
    this.frames = [];
    this.first = 0;
    this.bytes = 0;
  }
}
