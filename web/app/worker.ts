// The engine in a worker of its own, so that the page stays alive while it searches.
//
// Messages in: {wasm} once; then {id, file} puts a dropped file where the engine can read it, {id, request, sign} asks it
// something, and {stop} ends that with the best so far. Messages out: {id, answer}, and {progress} on the way.
//
// A search keeps this worker busy, so {stop} would wait for its end. Where the browser can suspend WebAssembly, the
// search pauses for a moment at each report of progress, and messages come in. Elsewhere it looks at a blob then, the
// `sign` of the request, which the page takes back to say stop; pages opened from disk cannot do that in all browsers.

interface Engine {
  FS: { writeFile(path: string, bytes: Uint8Array): void };
  UTF8ToString(pointer: number): string;
  stringToUTF8(text: string, pointer: number, bytes: number): void;
  lengthBytesUTF8(text: string): number;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
}
type Imports = { env: Record<string, unknown> };
declare function agonEngine(options: object): Promise<Engine>;

// JavaScript Promise Integration, which TypeScript does not know yet.
const suspending = WebAssembly as unknown as {
  Suspending?: new (wrapped: (pointer: number) => Promise<number>) => unknown;
  promising?: (wrapped: unknown) => (pointer: number) => Promise<number>;
};

type Incoming =
  | { wasm: ArrayBuffer }
  | { stop: true }
  | { id: number; file: { name: string; bytes: ArrayBuffer } }
  | { id: number; request: string; sign: string };

let engine: Promise<Engine> | null = null;
let agonCall: (pointer: number) => number | Promise<number> = () => 0;
let stopSign = '';
let isStopped = false;

function seesStop(): boolean {
  try {
    const ask = new XMLHttpRequest();
    ask.open('GET', stopSign, false);
    ask.overrideMimeType('text/plain');  // else Firefox reads it as XML and complains
    ask.send();
    return ask.status !== 200;
  } catch {
    return true;
  }
}

async function load(wasm: ArrayBuffer): Promise<Engine> {
  const { Suspending, promising } = suspending;
  let at: Engine | null = null;
  let canSee = true;  // the sign could be seen when the request began
  const options = {
    tell: (json: string) => {
      postMessage({ progress: json });
      return canSee && seesStop();
    },
    instantiateWasm: (imports: Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void) => {
      if (Suspending) {
        imports.env.agon_tell = new Suspending(async (pointer) => {
          postMessage({ progress: at?.UTF8ToString(pointer) ?? '' });
          await new Promise((resolve) => { setTimeout(resolve); });
          return isStopped ? 1 : 0;
        });
      }
      void WebAssembly.instantiate(wasm, imports as unknown as WebAssembly.Imports).then(({ instance, module }) => {
        const plain = instance.exports.agon_call as (pointer: number) => number;
        const suspendable = Suspending && promising ? promising(plain) : null;
        agonCall = suspendable ?? ((pointer) => {
          canSee = !seesStop();
          return plain(pointer);
        });
        done(instance, module);
      });
      return {};
    },
  };
  at = await agonEngine(options);
  return at;
}

async function call(at: Engine, request: string): Promise<string> {
  const bytes = at.lengthBytesUTF8(request) + 1;
  const pointer = at._malloc(bytes);
  at.stringToUTF8(request, pointer, bytes);
  const answer = at.UTF8ToString(await agonCall(pointer));
  at._free(pointer);
  return answer;
}

function failure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const isFull = error instanceof RangeError || /out of memory|could not allocate/i.test(text);
  return JSON.stringify({ error: isFull
    ? { message: 'The browser has no memory left for this.', hint: 'use fewer rows or columns, or the command line', fatal: true }
    : { message: `The engine failed: ${text}`, hint: 'load the page again', fatal: true } });
}

onmessage = async ({ data }: MessageEvent<Incoming>) => {
  if ('wasm' in data) {
    engine = load(data.wasm);
    return;
  }
  if ('stop' in data) {
    isStopped = true;
    return;
  }
  let answer: string;
  try {
    if (!engine) throw new Error('it was not loaded');
    const at = await engine;
    if ('file' in data) {
      at.FS.writeFile(data.file.name, new Uint8Array(data.file.bytes));
      answer = '{"ok":true}';
    } else {
      stopSign = data.sign;
      isStopped = false;
      answer = await call(at, data.request);
    }
  } catch (error) {
    answer = failure(error);
  }
  postMessage({ id: data.id, answer });
};
