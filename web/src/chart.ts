// The match as a chart over its moves: the final scores of the episodes, by arm; the opponents as lines, the champion
// as a staircase, new champions as dots.
import uPlot from 'uplot';
import { type Colours, colours, el, number, onTheme } from './dom';
import type { Result } from './model';

// One list of x for all series: uPlot needs them aligned, with null where a series has no value.
type Score = number | null;

function series(result: Result) {
  const history = result.history ?? [], trace = result.trace ?? { moves: [], score: [], arm: [] };
  const end = Math.max(result.run.moves, ...history.map((point) => point.moves), 1);
  const xs = [...new Set([0, end, ...history.map((point) => point.moves), ...trace.moves])].sort((a, b) => a - b);
  const at = new Map(xs.map((x, k) => [x, k]));
  const fill = () => new Array<Score>(xs.length).fill(null);
  const champions = fill(), best = fill();
  for (const point of history) champions[at.get(point.moves)!] = point.score;
  const arms = (result.run.arms ?? []).map((arm) => ({ name: arm.name, ends: fill() }));
  trace.moves.forEach((moves, k) => { arms[trace.arm[k]!]!.ends[at.get(moves)!] = trace.score[k]!; });
  let now: Score = null;
  xs.forEach((_, k) => { best[k] = now = champions[k] ?? now; });
  return { xs, champions, best, arms: arms.filter((arm) => arm.ends.some((score) => score !== null)) };
}

// From the lowest line to the highest, so that the worst graphs visited in play do not set the scale.
const opponentsOf = (result: Result) => result.opponents ?? (result.opponent ? [result.opponent] : []);
const known = (scores: Score[]) => scores.filter((score) => score !== null);

function range(result: Result, data: ReturnType<typeof series>): [number, number] {
  const opponents = opponentsOf(result).map((opponent) => opponent.score);
  const values = [result.score.opponent, result.score.champion, ...known(data.champions), ...opponents];
  const played = known(data.arms.flatMap((arm) => arm.ends)).sort((a, b) => a - b);
  if (played.length > 0) values.push(played[Math.floor(played.length * 0.1)]!);
  const low = Math.min(...values), high = Math.max(...values);
  const room = Math.max((high - low) * 0.08, Math.abs(high) * 1e-7, 0.01);
  return [low - room, high + room];
}

const shades = (c: Colours) => [c.faint, c.accent, c.doubt, c.ink];

export function drawMatch(section: HTMLElement, result: Result): void {
  if (!result.history) return;
  const data = series(result);
  const opponents = opponentsOf(result);
  const holder = el('div', { class: 'chart', role: 'img', 'aria-label':
    `score over moves: best opponent ${number(result.score.opponent)}, champion ${number(result.score.champion)}` });
  section.append(holder);
  let plot: uPlot | null = null;
  const draw = () => {
    plot?.destroy();
    const c = colours();
    const axis = { stroke: c.ink, grid: { stroke: c.line, width: 0.5 }, ticks: { stroke: c.line } };
    const label = (_: unknown, value: Score) => big(value);
    const ticksText = (_: unknown, ticks: number[]) => ticks.map((tick) => tick.toLocaleString('en'));
    const dash = [[6, 4], [2, 3], [10, 3, 2, 3]];
    const big = (value: Score) => (value == null ? '' : number(value));
    plot = new uPlot({
      width: Math.max(280, holder.clientWidth), height: 280, cursor: { y: false },
      scales: { x: { time: false }, y: { range: () => range(result, data) } },
      axes: [{ ...axis, label: 'moves', values: ticksText },
             { ...axis, label: `score (${result.score.name})`, size: 90, values: ticksText }],
      series: [
        { label: 'moves', value: (_, value: Score) => (value == null ? '' : value.toLocaleString('en')) },
        ...opponents.map((opponent, k) => ({ label: `opponent ${opponent.name}`, stroke: c.bad, width: 1.5, dash: dash[k % 3]!,
          points: { show: false }, value: label })),
        { label: 'champion', stroke: c.good, width: 2, paths: uPlot.paths.stepped!({ align: 1 }), points: { show: false },
          value: label },
        ...data.arms.map((arm, k) => ({ label: `episodes of ${arm.name}`, stroke: shades(c)[k % 4]!, paths: () => null,
          points: { show: true, size: 5, stroke: shades(c)[k % 4]!, fill: shades(c)[k % 4]! }, value: label })),
        { label: 'new champion', stroke: c.good, paths: () => null, points: { show: true, size: 8, fill: c.good },
          value: label },
      ],
    }, [data.xs, ...opponents.map((opponent) => data.xs.map(() => opponent.score)), data.best,
        ...data.arms.map((arm) => arm.ends), data.champions], holder);
  };
  draw();
  onTheme(draw);
  new ResizeObserver(() => {
    if (plot && plot.width !== Math.max(280, holder.clientWidth)) plot.setSize({ width: Math.max(280, holder.clientWidth), height: 280 });
  }).observe(holder);
}
