// Layouts made in a worker, so that the page stays alive while a large graph is laid out.
//
//   const aside = new LayoutWorker();
//   const layout = await aside.layOut(names, edges, 'force');   // null: another was asked for meanwhile
//
// The worker runs the script of this page itself, which is why that looks where it is (isWorker). Where there can be no
// worker, the page does the work. The answer is the same either way: layOut() depends on its arguments alone.
import { type Kind, type Layout, type Line, layOut, learnWidths, nodeWidth } from './layout';

interface Request { names: string[]; widths: number[]; edges: Line[]; kind: Kind }

export const isWorker = typeof document === 'undefined';
const code = isWorker ? '' : document.currentScript?.textContent ?? '';

// So small a graph is laid out before anybody could notice.
const quickNodes = 150, quickEdges = 150;
export const isQuick = (names: string[], edges: Line[]): boolean => names.length <= quickNodes && edges.length <= quickEdges;

export class LayoutWorker {
  private worker: Worker | null = null;
  private cancel: (() => void) | null = null;  // of the layout that is being made

  async layOut(names: string[], edges: Line[], kind: Kind): Promise<Layout | null> {
    this.stop();
    const lines = edges.map(({ from, to, key }) => ({ from, to, key }));
    if (isQuick(names, lines)) return layOut(names, lines, kind);
    const answer = await this.ask({ names, widths: names.map(nodeWidth), edges: lines, kind });
    return answer === 'failed' ? layOut(names, lines, kind) : answer;
  }

  // A layout that nobody waits for any more is not finished.
  stop(): void {
    if (!this.cancel) return;
    this.worker?.terminate();
    this.worker = null;
    this.cancel();
  }

  private ask(request: Request): Promise<Layout | null | 'failed'> {
    return new Promise((resolve) => {
      const done = (answer: Layout | null | 'failed') => {
        this.cancel = null;
        resolve(answer);
      };
      this.cancel = () => done(null);
      try {
        this.worker ??= start();
      } catch {
        return done('failed');
      }
      this.worker.onmessage = ({ data }: MessageEvent<Layout>) => done(data);
      this.worker.onerror = () => {
        this.worker = null;
        done('failed');
      };
      return this.worker.postMessage(request);
    });
  }
}

function start(): Worker {
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  try {
    return new Worker(url);
  } finally {
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}

// What the script does where it is the worker.
export function serveLayouts(): void {
  onmessage = ({ data: { names, widths, edges, kind } }: MessageEvent<Request>) => {
    learnWidths(names, widths);
    postMessage(layOut(names, edges, kind));
  };
}
