// What the engine answers (web/engine/session.h), as far as the page reads it.

export type Pair = [from: string, to: string];
export type OptionValue = boolean | number | string | string[];
export type Options = Record<string, OptionValue>;

export interface Bar { label?: string; from?: number; to?: number; rows: number }
export type Kind = 'categorical' | 'continuous';
export interface Column {
  name: string; kind: Kind; reason: string; levels: number; missing: number; constant: boolean; identifier: boolean; bars: Bar[];
}
export interface Finding { severity: 'info' | 'warning' | 'error'; kind: string; columns: string[]; text: string }
export interface Table {
  source: string; rows: number; checksum: string; kinds_inferred: boolean; missing_cells: number; missing_rows: number;
  experiments: number; columns: Column[]; findings: Finding[]; notes: string[]; warnings: string[];
}

export interface Dataset { name: string; kind: string; columns: number; rows: number; edges: number; source: string; licence: string; note: string }
export interface OptionInfo { name: string; type: string; flag: boolean; group: string; help: string; choices: string[]; common: boolean }
export interface Format { name: string; extension: string; description: string }
export interface Forecast { text: string; seconds: number; bytes: number; score: string; reason: string; command: string }
export interface Champion { champion: Pair[]; score: number; found_by: string }
export interface Arm { name: string; moves: number; gained: number; champions: number; share: number }
export interface Arms { arms: Arm[] }
export interface Progress { phase: string; steps: number; budget: number; unit: string; edges?: number; score?: number; gain?: number }
export type News = Progress | Champion | Arms;  // told while a request is worked on

export interface Knowledge { tiers: string[][]; required: Pair[]; forbidden: Pair[] }

// Of result.json, what the page itself reads; the rest is drawn by the report.
export interface Result {
  data: { kinds: Record<string, string>; source?: string };
  dag: { edges: Pair[] };
  score: { name: string; champion?: number; value?: number };
  run: { seconds: number; command?: string; stopped_by?: string };
}
// `proof`: there is a proof to save; `table`: its table is here, so that effects can be asked for.
export interface Outcome { result: Result; graphs: string[]; proof: boolean; table: boolean; notes: string[]; warnings: string[] }

export type MoveKind = 'add' | 'remove' | 'reverse';
export interface Move { kind: MoveKind; from: string; to: string; gain: number }
export interface PairMove { kind: MoveKind; from: string; to: string; gain?: number; why_not?: string }
export interface BoardEdge { from: string; to: string; strength: number }
export interface Board {
  names: string[]; score_name: string; score: number; start_score: number; edges: BoardEdge[]; best: Move[]; played: Move[];
}
export interface Challenge { score: number; gain: number; steps: Move[]; moves: number; found_by: string; stopped_by: string }

export interface Failure { message: string; hint: string }
