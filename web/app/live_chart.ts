// Score against time while a search runs.
import uPlot from 'uplot';
import { colours, onTheme } from '../src/dom';
import type { Progress } from './answers';

export class LiveChart {
  private seconds: number[] = [];
  private scores: number[] = [];
  private plot: uPlot | null = null;
  private began = performance.now();

  constructor(private holder: HTMLElement) {
    onTheme(() => this.draw());
  }

  begin(): void {
    this.seconds = [];
    this.scores = [];
    this.began = performance.now();
    this.draw();
  }

  // Opponents search one after the other, so the score may fall when the next one begins: the best so far is drawn.
  add(progress: Progress): void {
    if (progress.score === undefined) return;
    this.seconds.push((performance.now() - this.began) / 1000);
    this.scores.push(Math.max(progress.score, this.scores.at(-1) ?? -Infinity));
    this.plot?.setData([this.seconds, this.scores]);
  }

  private draw(): void {
    this.plot?.destroy();
    const c = colours();
    const axis = { stroke: c.ink, grid: { stroke: c.line, width: 0.5 }, ticks: { stroke: c.line } };
    this.plot = new uPlot({
      width: Math.max(280, this.holder.clientWidth), height: 180, legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false } },
      axes: [{ ...axis, label: 'seconds' }, { ...axis, size: 90, values: (_, ticks) => ticks.map((tick) => tick.toLocaleString('en')) }],
      series: [{}, { label: 'best score', stroke: c.good, width: 2 }],
    }, [this.seconds, this.scores], this.holder);
  }
}
