"""Keyword arguments, made from the catalog by tools/regen."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from ._progress import Progress


class RunOptions(TypedDict, total=False):
    """Options of one algorithm."""

    # names of a matrix's columns
    names: Sequence[str]
    # rows to take of an embedded data set (default: what `agon list datasets` says)
    rows: int
    # seed of the sample that --rows and embedded networks are drawn with (default 0)
    data_seed: int
    # where a data set is that must be obtained first (dream4, see `agon list datasets`)
    folder: str
    # the file has no line of names; columns are called V1, V2, ...
    no_header: bool
    # comma, tab, semicolon, pipe, space, colon or one character (default: found out)
    delimiter: str
    # character around quoted cells, or none (default ")
    quote: str
    # lines that begin so are skipped, or none (default #)
    comment: str
    # a spelling of a missing cell beside the usual ones (empty, NA, NaN, ?, NULL, ...); repeatable, commas separate
    na: str | Sequence[str]
    # what to do about missing cells: error or drop-rows (default error)
    missing: str
    # columns to read as categories, whatever they look like
    discrete: str | Sequence[str]
    # columns to read as numbers, however few values they have
    continuous: str | Sequence[str]
    # kind of all columns not named elsewhere: continuous, discrete or mixed (default mixed)
    data_type: str
    # columns to leave out
    drop: str | Sequence[str]
    # file with the names of columns to leave out, one per line
    exclude_var: str
    # score to maximise, or auto: by the kinds of the columns (default auto)
    score: str | Callable[[str, tuple[str, ...]], float]
    # factor on the 1/2 ln n of the BIC scores, >= 0 (default 1, the textbook BIC; Tetrad uses 2)
    penalty: float
    # equivalent sample size of bdeu, > 0 (default 10)
    ess: float
    # most parents of a node, >= 1 (default: what the score can carry)
    max_parents: int
    # required and forbidden edges and tiers: a knowledge file of Tetrad, or CSV with from,to,type; repeatable
    knowledge: Any
    # edges that must stand: CSV with from,to; repeatable
    required: str | Sequence[str]
    # edges that must not stand: CSV with from,to; repeatable
    forbidden: str | Sequence[str]
    # what to do about an edge both required and forbidden: refuse, or required (also called whitelist): it stands
    # (default refuse)
    on_conflict: str
    # graph to start from: a file, or the name of an embedded data set for its true graph (default: the empty graph)
    start: Any
    # draw the rows again N times, search each drawing, and give every edge its share of them (default 0: none)
    bootstrap: int
    # stop after this long with the best so far: 60s, 2m, 500ms; --bootstrap gets half of it (default: none)
    time_limit: float | str | datetime.timedelta
    # memory the search may use, as 500M or 2G: caches are made smaller until it fits, which costs time and changes no
    # answer; what cannot fit is refused (default: what the machine has)
    memory_limit: str
    # threads to use; the answer is the same for any number (default: all cores)
    threads: int
    # seed of everything random: the play of the challenger, the orders of boss, the networks of grandag, the random
    # graphs beside --truth; the other searches draw nothing (default 0)
    seed: int
    # known graph (file, or name of an embedded data set) to compare the answer with
    truth: Any
    # pc, fci: test of independence: g2 or chi2 for categories, fisher-z (on ranks) or fisher-z-raw (on the values) for
    # numbers; auto is the first of each (default auto)
    test: str
    # pc, fci: level of the tests; a p-value above it means independent, between 0 and 1 (default 0.01)
    alpha: float
    # pc, fci: most columns that a test holds fixed, -1: no limit (default -1, but 2 in the second step of fci)
    max_conditioning: int
    # a bar on a terminal or in a notebook (default: none), or a function that is told
    progress: bool | Callable[[Progress], object]


class DiscoverOptions(TypedDict, total=False):
    """Options of agon.discover beside those it names."""

    # names of a matrix's columns
    names: Sequence[str]
    # rows to take of an embedded data set (default: what `agon list datasets` says)
    rows: int
    # seed of the sample that --rows and embedded networks are drawn with (default 0)
    data_seed: int
    # where a data set is that must be obtained first (dream4, see `agon list datasets`)
    folder: str
    # the file has no line of names; columns are called V1, V2, ...
    no_header: bool
    # comma, tab, semicolon, pipe, space, colon or one character (default: found out)
    delimiter: str
    # character around quoted cells, or none (default ")
    quote: str
    # lines that begin so are skipped, or none (default #)
    comment: str
    # a spelling of a missing cell beside the usual ones (empty, NA, NaN, ?, NULL, ...); repeatable, commas separate
    na: str | Sequence[str]
    # what to do about missing cells: error or drop-rows (default error)
    missing: str
    # columns to read as categories, whatever they look like
    discrete: str | Sequence[str]
    # columns to read as numbers, however few values they have
    continuous: str | Sequence[str]
    # kind of all columns not named elsewhere: continuous, discrete or mixed (default mixed)
    data_type: str
    # columns to leave out
    drop: str | Sequence[str]
    # file with the names of columns to leave out, one per line
    exclude_var: str
    # factor on the 1/2 ln n of the BIC scores, >= 0 (default 1, the textbook BIC; Tetrad uses 2)
    penalty: float
    # equivalent sample size of bdeu, > 0 (default 10)
    ess: float
    # most parents of a node, >= 1 (default: what the score can carry)
    max_parents: int
    # edges that must stand: CSV with from,to; repeatable
    required: str | Sequence[str]
    # edges that must not stand: CSV with from,to; repeatable
    forbidden: str | Sequence[str]
    # what to do about an edge both required and forbidden: refuse, or required (also called whitelist): it stands
    # (default refuse)
    on_conflict: str
    # memory the search may use, as 500M or 2G: caches are made smaller until it fits, which costs time and changes no
    # answer; what cannot fit is refused (default: what the machine has)
    memory_limit: str
    # known graph (file, or name of an embedded data set) to compare the answer with
    truth: Any
    # pc, fci: test of independence: g2 or chi2 for categories, fisher-z (on ranks) or fisher-z-raw (on the values) for
    # numbers; auto is the first of each (default auto)
    test: str
    # pc, fci: level of the tests; a p-value above it means independent, between 0 and 1 (default 0.01)
    alpha: float
    # pc, fci: most columns that a test holds fixed, -1: no limit (default -1, but 2 in the second step of fci)
    max_conditioning: int
    # most game moves of the challenger; 0: the opponents alone (default: by the number of columns, and play ends early
    # when no gain is expected)
    moves: int
    # most edges of a graph, never fewer than an opponent's (default: does not bind)
    edge_budget: int
    # who plays: local (perturb near a place, climb), flat (single edits, Double DQN), paper (the published one), or
    # auto: several compete for the moves (default auto)
    challenger: str
    # how local draws its edits: trained (a network that ships with agon), rule, delta, uniform, or a file that `agon
    # train` wrote (default trained)
    proposal: str
    # nothing is learned during the match: the unlearned twin of the challenger
    no_learning: bool
    # moves without a new champion after which play ends (default: by the number of columns)
    patience: int
    # moves of a player between two looks at the others, >= 1 (default 5000)
    round_moves: int
    # players at least, each with a random stream of its own, >= 1 (default 2)
    players: int
    # price of an edge in the reward of flat and paper, >= 0 (default 0.005)
    lambda_: float
    # price of a move in the reward of paper, >= 0 (default 0.01)
    step_cost: float
    # local: most edits of a perturbation, >= 1 (default 20)
    longest: int
    # local: lengths of perturbations are uniform, not by what succeeded (default: by what succeeded)
    fixed_length: bool
    # local: a loss of d nats is kept with probability exp(-d/T); 0: never (default 1.5)
    temperature: float
    # local: kept perturbations without a new champion after which play returns to it, >= 1 (default 200)
    return_after: int
    # local: share of edits at a node that the perturbation has touched, 0 to 1 (default 0.9)
    locality: float
    # local: edits drawn per decision, >= 1 (default 8); flat alone: moves its network sees (default 32)
    candidates: int
    # local, rule and trained: factor on the scores of candidates, > 0 (default 8)
    sharpness: float
    # local: share of picks that ignore the scores, 0 to 1 (default 0.05)
    uniform_share: float
    # local, delta: nats by which gains are divided, > 0 (default 5)
    delta_temperature: float
    # flat: every episode begins at the opponent's graph (default: at the champion, once there is a better one)
    fixed_start: bool
    # flat, paper: moves of an episode; 0: 20 per column, flat at most 300 (default 0)
    episode_moves: int
    # flat, paper: weight of what follows, 0 to below 1 (default 0.95, paper 0.99)
    discount: float
    # flat: the future of a move counts for at most W nats, > 0 (default 10)
    future_bound: float
    # local, learning: what is learned is divided by this before the pick, > 0 (default 0.1)
    value_temperature: float
    # widths of the network's hidden layers (default 32; paper 512,512)
    hidden: Sequence[int]
    # step of Adam, > 0 (default 0.001, paper 0.0005, train 0.004)
    learning_rate: float
    # share of the online network that moves into the target network per update, above 0 to 1 (default 0.01, paper
    # 0.005)
    target_rate: float
    # transitions per update, >= 1 (default 16, paper 512); train: successes (32)
    batch: int
    # moves per update, >= 1 (default 4, paper 1)
    train_every: int
    # transitions kept, at least a batch (default 8000, paper 200000)
    replay: int
    # flat, paper: share of random moves at the start, from the floor to 1 (default 0.25, paper 1)
    epsilon: float
    # flat, paper: share of random moves in the end, above 0 (default 0.05)
    epsilon_floor: float
    # flat, paper: moves from one to the other (default 20000, paper 400000)
    epsilon_steps: int
    # keep in this folder what was done so far: a run that was killed goes on when the same command is given again, and
    # ends with the same result (default: nothing is kept)
    checkpoint: str
    # time between two checkpoints, longer where saving takes long: 30s, 500ms (default 10s)
    checkpoint_every: str
    # cam: after play each node is regressed on its parents, and graphs without the insignificant ones are candidates;
    # or none (default none)
    prune: str
