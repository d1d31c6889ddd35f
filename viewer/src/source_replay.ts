// A recording behind the server: frames are fetched in chunks around the time that is looked at, and forgotten when they are many.

import { fetchBytes } from './fetching';
import { CONTACT, DataError, POSE, decodeFrames, type Frame, type Mode, type Scene } from './protocol';
import { courseLength, type CurveData, type FrameSource } from './source';

const MOST_FRAMES_A_REQUEST = 256;
const CHUNK_BYTES = 4e6;
const CACHE_BYTES = 256e6;
const RETRY_MILLISECONDS = 1000;

interface Chunk {
  frames: Frame[] | null;
  loading: Promise<Frame[]>;
  bytes: number;
  lastUse: number;
}

/** So many frames that a chunk comes quickly, whatever the number of bodies. */
function framesInChunk(scene: Scene): number {
  const bytes = 4 * (POSE + CONTACT) * scene.bodies.length + 4 * (scene.q_names.length + scene.v_names.length) + 100;
  return Math.max(1, Math.min(MOST_FRAMES_A_REQUEST, Math.floor(CHUNK_BYTES / bytes)));
}

export class ReplaySource implements FrameSource {
  readonly mode: Mode = 'replay';
  trouble = '';
  private readonly chunks = new Map<number, Chunk>();
  private readonly chunkLength: number;
  private bytes = 0;
  private uses = 0;

  private constructor(
    readonly scene: Scene,
    private readonly times: Float64Array,
  ) {
    this.chunkLength = framesInChunk(scene);
  }

  static async open(scene: Scene): Promise<ReplaySource> {
    const buffer = await fetchBytes('times');
    const times = new Float64Array(buffer, 0, Math.floor(buffer.byteLength / 8));
    if (times.length === 0) throw new DataError('This recording holds no frames.');
    return new ReplaySource(scene, times);
  }

  count(): number {
    return this.times.length;
  }

  timeAt(index: number): number {
    return this.times[index];
  }

  frameAt(index: number): Frame | null {
    const number = Math.floor(index / this.chunkLength);
    const frames = this.chunk(number).frames;
    if (!frames) return null;
    const place = index - number * this.chunkLength;
    const nextIsNear = place > this.chunkLength / 2 && (number + 1) * this.chunkLength < this.times.length;
    if (nextIsNear) this.chunk(number + 1);
    return frames[place] ?? null;
  }

  async loadFrame(index: number): Promise<Frame> {
    const number = Math.floor(index / this.chunkLength);
    const frames = await this.chunk(number).loading;
    const frame = frames[index - number * this.chunkLength];
    if (!frame) throw new DataError('The server sent fewer frames than it was asked for.');
    return frame;
  }

  async loadCourse(): Promise<Frame[]> {
    const [most, last] = [courseLength(this.scene.bodies.length, this.times.length), this.times.length - 1];
    const every = Math.max(1, Math.ceil(last / Math.max(most - 1, 1)));
    const frames: Frame[] = [];
    for (let first = 0; first <= last; first += every * MOST_FRAMES_A_REQUEST) {
      const end = Math.min(first + every * (MOST_FRAMES_A_REQUEST - 1), last);
      frames.push(...decodeFrames(await fetchBytes(`frames/${first}-${end}/${every}`)));
    }
    return frames;
  }

  loadMesh(index: number): Promise<ArrayBuffer> {
    return fetchBytes(`mesh/${index}`);
  }

  async loadCurve(curve: number): Promise<CurveData> {
    const buffer = await fetchBytes(`series/${curve}`);
    return { times: this.times, values: new Float32Array(buffer, 0, Math.floor(buffer.byteLength / 4)) };
  }

  private chunk(number: number): Chunk {
    let chunk = this.chunks.get(number);
    if (!chunk) {
      chunk = this.fetchChunk(number);
      this.chunks.set(number, chunk);
    }
    chunk.lastUse = ++this.uses;
    return chunk;
  }

  private fetchChunk(number: number): Chunk {
    const first = number * this.chunkLength;
    const last = Math.min(first + this.chunkLength, this.times.length) - 1;
    const chunk: Chunk = { frames: null, loading: Promise.resolve([]), bytes: 0, lastUse: 0 };
    chunk.loading = fetchBytes(`frames/${first}-${last}`).then((buffer) => {
      chunk.frames = decodeFrames(buffer);
      chunk.bytes = buffer.byteLength;
      this.bytes += buffer.byteLength;
      this.trouble = '';
      this.forgetOldest(chunk);
      return chunk.frames;
    });
    // A chunk that did not come is asked for anew when it is next needed; whoever awaits it hears of the failure.
    chunk.loading.catch((error: unknown) => {
      this.trouble = error instanceof DataError ? error.message : String(error);
      setTimeout(() => this.chunks.delete(number), RETRY_MILLISECONDS);
    });
    return chunk;
  }

  private forgetOldest(keep: Chunk): void {
    while (this.bytes > CACHE_BYTES) {
      let oldest: [number, Chunk] | null = null;
      for (const entry of this.chunks) {
        if (entry[1] === keep || !entry[1].frames) continue;
        if (!oldest || entry[1].lastUse < oldest[1].lastUse) oldest = entry;
      }
      if (!oldest) return;
      this.chunks.delete(oldest[0]);
      this.bytes -= oldest[1].bytes;
    }
  }
}
