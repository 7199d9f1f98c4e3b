// The page's side of the worker: one request at a time, in order.
import type { Failure, News } from './answers';

export class EngineError extends Error {
  hint: string;
  constructor({ message, hint }: Failure) {
    super(message);
    this.hint = hint;
  }
}

// What the build put into the page: compressed, because a page on disk may not read other files.
async function unpacked(id: string): Promise<ArrayBuffer> {
  const text = document.getElementById(id)?.textContent ?? '';
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

interface Waiting { resolve(value: unknown): void; reject(error: Error): void; onProgress: Listener | null; sign: string }
type Listener = (news: News) => void;

export class Engine {
  private worker: Worker | null = null;
  private started: Promise<void>;
  private waiting = new Map<number, Waiting>();
  private last = 0;
  private file: File | null = null;

  constructor() {
    this.started = this.start();
  }

  private async start(): Promise<void> {
    const code = document.getElementById('worker')?.textContent ?? '';
    const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    const worker = new Worker(url);
    this.worker = worker;
    worker.onmessage = ({ data }) => this.hear(data);
    worker.onerror = (event) => this.failAll(event.message || 'the engine could not be started');
    const wasm = await unpacked('wasm');
    worker.postMessage({ wasm }, [wasm]);
    URL.revokeObjectURL(url);
    if (this.file) await this.post((id, bytes) => ({ id, file: { name: this.file?.name ?? '', bytes } }), this.file);
  }

  private failAll(message: string): void {
    for (const each of this.waiting.values()) each.reject(new EngineError({ message, hint: 'load the page again' }));
    this.waiting.clear();
  }

  private hear(data: { id?: number; answer?: string; progress?: string }): void {
    if (data.progress !== undefined) {
      const progress = JSON.parse(data.progress) as News;
      for (const each of this.waiting.values()) each.onProgress?.(progress);
      return;
    }
    const waiting = this.waiting.get(data.id ?? 0);
    if (!waiting) return;
    this.waiting.delete(data.id ?? 0);
    URL.revokeObjectURL(waiting.sign);
    const answer = JSON.parse(data.answer ?? '') as { ok?: unknown; error?: Failure & { fatal?: boolean } };
    if (!answer.error) {
      waiting.resolve(answer.ok);
      return;
    }
    if (answer.error.fatal) {  // its memory cannot be trusted any more
      this.worker?.terminate();
      this.started = this.start();
    }
    waiting.reject(new EngineError(answer.error));
  }

  private async post(message: (id: number, bytes: ArrayBuffer) => object, file: File): Promise<void> {
    const bytes = await file.arrayBuffer();
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: () => resolve(), reject, onProgress: null, sign: '' });
      this.worker?.postMessage(message(id, bytes), [bytes]);
    });
  }

  // Puts a file where requests can name it; one at a time is kept.
  async put(file: File): Promise<void> {
    await this.started;
    this.file = file;
    await this.post((id, bytes) => ({ id, file: { name: file.name, bytes } }), file);
  }

  async ask<T>(request: { do: string } & Record<string, unknown>, onProgress: Listener | null = null): Promise<T> {
    await this.started;
    const id = ++this.last;
    const sign = URL.createObjectURL(new Blob(['go on']));
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, onProgress, sign });
      this.worker?.postMessage({ id, request: JSON.stringify(request), sign });
    });
  }

  // What is being worked on ends with the best it has.
  stop(): void {
    this.worker?.postMessage({ stop: true });
    for (const each of this.waiting.values()) URL.revokeObjectURL(each.sign);
  }

  get isBusy(): boolean {
    return this.waiting.size > 0;
  }
}
