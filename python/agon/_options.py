"""Keyword arguments, made from the catalog by tools/regen."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from ._progress import Progress


class RunOptions(TypedDict, total=False):
    """Options of one algorithm."""

    # names of a matrix's columns
    names: Sequence[str]
    # rows to take of an embedded data set; with covariance=True or spearman=True, the rows that the matrix was computed
    # from (1 or more; default: what `agon.datasets.list_all()` says)
    rows: int
    # seed of the sample that rows and embedded networks are drawn with (0 or more; default 0)
    data_seed: int
    # DATA is not a table but its covariance or correlation matrix, with the names in the header and the first column;
    # needs rows=...
    covariance: bool
    # DATA is a matrix of Spearman's rank correlations; needs rows=...
    spearman: bool
    # folder of a data set that must be obtained first (dream4, see `agon.datasets.list_all()`)
    folder: str
    # the file has no line of names; columns are called V1, V2, ...
    no_header: bool
    # comma, tab, semicolon, pipe, space, colon or one character (default: inferred)
    delimiter: str
    # decimal mark of numbers: comma or point (or , or .) (default: inferred)
    decimal: str
    # character around quoted cells, or none (default ")
    quote: str
    # lines that begin with this are skipped, or none (default #)
    comment: str
    # another spelling of a missing cell, besides the usual ones (empty, NA, NaN, ?, NULL, ...); repeatable, commas
    # separate
    na: str | Sequence[str]
    # what to do about missing cells: auto, em, draws, level, drop-rows or error (default auto)
    missing: str
    # how many times a row with missing cells is completed, where they are drawn (from 1 to 1000; default 10)
    draws: int
    # column that says how often each row occurred; it is not a variable (default: once each)
    counts: str | Sequence[float]
    # column of sampling weights, rescaled to the effective number of rows; it is not a variable (default: equal)
    weights: str | Sequence[float]
    # column whose cells name the variables that were set in that row (a;b); with experiment, a file experiment,targets;
    # it is not a variable (default: what the data set says, or none)
    targets: str | Sequence[Any] | Mapping[Any, Any]
    # column that says which experiment a row comes from; it is not a variable (default: none)
    experiment: str | Sequence[Any]
    # columns of batches, between which the means of variables may differ, or none; experiments are batches too; the
    # score decides whether that is used (default: experiments)
    within: str | Sequence[Any] | Mapping[str, Any]
    # what experiments did to their targets: set them, so that their causes did not act there, or moved them: perfect or
    # soft (default perfect)
    intervention: str
    # columns to read as categories, whatever they look like
    discrete: str | Sequence[str]
    # columns to read as numbers, however few values they have
    continuous: str | Sequence[str]
    # kind of all columns not named elsewhere: mixed, continuous or discrete (default mixed)
    data_type: str
    # columns to omit
    drop: str | Sequence[str]
    # file with the names of columns to omit, one per line
    exclude_var: str
    # score to maximise, see `agon.list_scores()`; auto chooses by the kinds of the columns (default auto)
    score: str | Callable[[str, tuple[str, ...]], float]
    # factor on the 1/2 ln n of the BIC scores; 1 is the textbook BIC, Tetrad uses 2; auto is 1, and ln p for each edge,
    # as it is for numbers where agon chooses the score (0 or more, or auto; default 1)
    penalty: float | str
    # equivalent sample size of bdeu and bds (more than 0; default 10)
    ess: float
    # powers of each number that mixed-bic sees, so that it finds curved relations too; unless it is given, 2 where agon
    # chooses the score and numbers scatter unevenly (from 1 to 5; default 1)
    basis: int
    # numbers by their ranks, on the normal scale, or raw: as they are: normal or raw (default normal)
    scale: str
    # cut continuous columns into K bins of about equal weight, for scores of categorical columns (from 2 to 20;
    # default: columns are not cut)
    bins: int
    # most parents of a node (1 or more; default: as many as the score can take)
    max_parents: int
    # required and forbidden edges and tiers: a knowledge file of Tetrad, or CSV with from,to,type; repeatable
    knowledge: Any
    # edges that must be in the graph: CSV with from,to; repeatable
    required: str | Sequence[str]
    # edges that must not be in the graph: CSV with from,to; repeatable
    forbidden: str | Sequence[str]
    # variables that nothing in the table causes, such as the experiment, the site or the day: no edges into them or
    # among them
    context: str | Sequence[str]
    # what to do about an edge both required and forbidden; required (or whitelist) keeps it: refuse, required or
    # whitelist (default refuse)
    on_conflict: str
    # graph to start from: a file, or the name of an embedded data set for its true graph (default: the empty graph)
    start: Any
    # resample the rows N times, search each resample, and give every edge its share of them; 0: do not (0 or more;
    # default 0)
    bootstrap: int
    # give every edge, arrow and causal path its posterior probability over all DAGs: exact up to 12 columns, sampled
    # beyond
    posterior: bool
    # steps of each chain of posterior=True, which then samples in any case (1 or more; default: until the chains agree,
    # with a limit)
    posterior_steps: int
    # how many columns may be parents of a column in a sample of posterior=True (from 1 to 16; default: 12, fewer beyond
    # 100 columns)
    posterior_candidates: int
    # stop after this long with the best so far: 60s, 2m, 500ms; bootstrap and posterior=True get half of it, and the
    # opponents of a match at most half of what is left (default: none)
    time_limit: float | str | datetime.timedelta
    # memory the search may use, as 500M or 2G: caches are made smaller until it fits, which costs time and changes no
    # answer; what cannot fit is refused (default: what the machine has)
    memory_limit: str
    # threads to use; the answer does not depend on it (1 or more; default: all cores)
    threads: int
    # seed of everything random: the same seed gives the same answer (0 or more; default 0)
    seed: int
    # known graph (file, or name of an embedded data set) to compare the answer with
    truth: Any
    # pc, fci: test of independence: g2 or chi2 for categories, fisher-z (on ranks) or fisher-z-raw (on the values) for
    # numbers, block for both kinds and for missing cells; auto is the first that takes the table (default auto)
    test: str
    # pc, fci: level of the tests; a p-value above it means independent (more than 0 and less than 1; default 0.01)
    alpha: float
    # pc, fci: most columns that a test conditions on; -1: no limit; unless given, 2 in the second step of fci (-1 or
    # more; default -1)
    max_conditioning: int
    # rl-bic, kcrl, corl: iterations of training; dag-gnn: steps (1 or more; default: as many as published)
    iterations: int
    # rl-bic, kcrl, corl: end after so many iterations without a better graph; 0: never (0 or more; default 0)
    rest: int
    # rl-bic, kcrl: the regressions behind the reward; process is for tables of few columns and rows: linear, quadratic
    # or process (default linear)
    regression: str
    # rl-bic, kcrl: how two variables make the logit of an edge: pair, bilinear, tensor or transformer (default pair)
    decoder: str
    # rl-bic, kcrl: where the number begins that is added to the logits of all edges, and trained; -10 lets graphs begin
    # sparse (from -100 to 100; default: as published, -10 from 30 columns on, else none)
    bias: float
    # rl-bic, kcrl, corl: whether the noise of all columns has one variance: equal or different (default equal)
    variances: str
    # rl-bic, kcrl, corl: paper rewards by regressions on the values as numbers, own by the score of the run: paper or
    # own (default paper)
    reward: str
    # corl: whether each step of an order is rewarded or the whole: step or order (default step)
    reward_per: str
    # rl-bic, kcrl, corl, dag-gnn: give all columns variance 1 first, so that scales do not decide directions
    standardise: bool
    # dag-gnn: add noise to the code as in the paper, not as released
    sample: bool
    # folder to save progress in: a run that was killed resumes when the same command is given again, and ends with the
    # same result (default: nothing is saved)
    checkpoint: str
    # time between two checkpoints, longer where saving takes long: 30s, 500ms (default 10s)
    checkpoint_every: str
    # a bar on a terminal or in a notebook (default: none), or a function that is told
    progress: bool | Callable[[Progress], object]


class DiscoverOptions(TypedDict, total=False):
    """Options of agon.discover beside those it names."""

    # names of a matrix's columns
    names: Sequence[str]
    # rows to take of an embedded data set; with covariance=True or spearman=True, the rows that the matrix was computed
    # from (1 or more; default: what `agon.datasets.list_all()` says)
    rows: int
    # seed of the sample that rows and embedded networks are drawn with (0 or more; default 0)
    data_seed: int
    # DATA is not a table but its covariance or correlation matrix, with the names in the header and the first column;
    # needs rows=...
    covariance: bool
    # DATA is a matrix of Spearman's rank correlations; needs rows=...
    spearman: bool
    # folder of a data set that must be obtained first (dream4, see `agon.datasets.list_all()`)
    folder: str
    # the file has no line of names; columns are called V1, V2, ...
    no_header: bool
    # comma, tab, semicolon, pipe, space, colon or one character (default: inferred)
    delimiter: str
    # decimal mark of numbers: comma or point (or , or .) (default: inferred)
    decimal: str
    # character around quoted cells, or none (default ")
    quote: str
    # lines that begin with this are skipped, or none (default #)
    comment: str
    # another spelling of a missing cell, besides the usual ones (empty, NA, NaN, ?, NULL, ...); repeatable, commas
    # separate
    na: str | Sequence[str]
    # what to do about missing cells: auto, em, draws, level, drop-rows or error (default auto)
    missing: str
    # how many times a row with missing cells is completed, where they are drawn (from 1 to 1000; default 10)
    draws: int
    # column that says how often each row occurred; it is not a variable (default: once each)
    counts: str | Sequence[float]
    # column of sampling weights, rescaled to the effective number of rows; it is not a variable (default: equal)
    weights: str | Sequence[float]
    # column whose cells name the variables that were set in that row (a;b); with experiment, a file experiment,targets;
    # it is not a variable (default: what the data set says, or none)
    targets: str | Sequence[Any] | Mapping[Any, Any]
    # column that says which experiment a row comes from; it is not a variable (default: none)
    experiment: str | Sequence[Any]
    # columns of batches, between which the means of variables may differ, or none; experiments are batches too; the
    # score decides whether that is used (default: experiments)
    within: str | Sequence[Any] | Mapping[str, Any]
    # what experiments did to their targets: set them, so that their causes did not act there, or moved them: perfect or
    # soft (default perfect)
    intervention: str
    # columns to read as categories, whatever they look like
    discrete: str | Sequence[str]
    # columns to read as numbers, however few values they have
    continuous: str | Sequence[str]
    # kind of all columns not named elsewhere: mixed, continuous or discrete (default mixed)
    data_type: str
    # columns to omit
    drop: str | Sequence[str]
    # file with the names of columns to omit, one per line
    exclude_var: str
    # factor on the 1/2 ln n of the BIC scores; 1 is the textbook BIC, Tetrad uses 2; auto is 1, and ln p for each edge,
    # as it is for numbers where agon chooses the score (0 or more, or auto; default 1)
    penalty: float | str
    # equivalent sample size of bdeu and bds (more than 0; default 10)
    ess: float
    # powers of each number that mixed-bic sees, so that it finds curved relations too; unless it is given, 2 where agon
    # chooses the score and numbers scatter unevenly (from 1 to 5; default 1)
    basis: int
    # numbers by their ranks, on the normal scale, or raw: as they are: normal or raw (default normal)
    scale: str
    # cut continuous columns into K bins of about equal weight, for scores of categorical columns (from 2 to 20;
    # default: columns are not cut)
    bins: int
    # most parents of a node (1 or more; default: as many as the score can take)
    max_parents: int
    # edges that must be in the graph: CSV with from,to; repeatable
    required: str | Sequence[str]
    # edges that must not be in the graph: CSV with from,to; repeatable
    forbidden: str | Sequence[str]
    # variables that nothing in the table causes, such as the experiment, the site or the day: no edges into them or
    # among them
    context: str | Sequence[str]
    # what to do about an edge both required and forbidden; required (or whitelist) keeps it: refuse, required or
    # whitelist (default refuse)
    on_conflict: str
    # give every edge, arrow and causal path its posterior probability over all DAGs: exact up to 12 columns, sampled
    # beyond
    posterior: bool
    # steps of each chain of posterior=True, which then samples in any case (1 or more; default: until the chains agree,
    # with a limit)
    posterior_steps: int
    # how many columns may be parents of a column in a sample of posterior=True (from 1 to 16; default: 12, fewer beyond
    # 100 columns)
    posterior_candidates: int
    # memory the search may use, as 500M or 2G: caches are made smaller until it fits, which costs time and changes no
    # answer; what cannot fit is refused (default: what the machine has)
    memory_limit: str
    # known graph (file, or name of an embedded data set) to compare the answer with
    truth: Any
    # pc, fci: test of independence: g2 or chi2 for categories, fisher-z (on ranks) or fisher-z-raw (on the values) for
    # numbers, block for both kinds and for missing cells; auto is the first that takes the table (default auto)
    test: str
    # pc, fci: level of the tests; a p-value above it means independent (more than 0 and less than 1; default 0.01)
    alpha: float
    # pc, fci: most columns that a test conditions on; -1: no limit; unless given, 2 in the second step of fci (-1 or
    # more; default -1)
    max_conditioning: int
    # rl-bic, kcrl, corl: iterations of training; dag-gnn: steps (1 or more; default: as many as published)
    iterations: int
    # rl-bic, kcrl, corl: end after so many iterations without a better graph; 0: never (0 or more; default 0)
    rest: int
    # rl-bic, kcrl: the regressions behind the reward; process is for tables of few columns and rows: linear, quadratic
    # or process (default linear)
    regression: str
    # rl-bic, kcrl: how two variables make the logit of an edge: pair, bilinear, tensor or transformer (default pair)
    decoder: str
    # rl-bic, kcrl: where the number begins that is added to the logits of all edges, and trained; -10 lets graphs begin
    # sparse (from -100 to 100; default: as published, -10 from 30 columns on, else none)
    bias: float
    # rl-bic, kcrl, corl: whether the noise of all columns has one variance: equal or different (default equal)
    variances: str
    # rl-bic, kcrl, corl: paper rewards by regressions on the values as numbers, own by the score of the run: paper or
    # own (default paper)
    reward: str
    # corl: whether each step of an order is rewarded or the whole: step or order (default step)
    reward_per: str
    # rl-bic, kcrl, corl, dag-gnn: give all columns variance 1 first, so that scales do not decide directions
    standardise: bool
    # dag-gnn: add noise to the code as in the paper, not as released
    sample: bool
    # folder to save progress in: a run that was killed resumes when the same command is given again, and ends with the
    # same result (default: nothing is saved)
    checkpoint: str
    # time between two checkpoints, longer where saving takes long: 30s, 500ms (default 10s)
    checkpoint_every: str
    # play the published system, as its authors' code does or as its text says: paper or paper-text (default: none)
    preset: str
    # most game moves of the challenger; 0: the opponents alone; play ends early when no gain is expected (0 or more;
    # default: by the number of columns)
    moves: int
    # most edges of a graph, never fewer than an opponent's (1 or more; default: does not bind)
    edge_budget: int
    # who plays, see `agon.list_challengers()`: auto, local, flat or paper (default auto)
    challenger: str
    # moves without a new champion after which play ends (1 or more; default: by the number of columns)
    patience: int
    # moves of each player between two comparisons with the others (1 or more; default 5000)
    round_moves: int
    # least number of players, each with a random stream of its own (1 or more; default 2)
    players: int
    # answer with the champion as play left it: no restarts from the champion, no last ascent, no other member of its
    # class
    as_visited: bool
    # local: how edits are drawn: trained (a network that ships with agon), rule, delta, uniform, or a file that `agon
    # train` wrote (default trained)
    proposal: str
    # local: share of edits at a node that the perturbation has touched (from 0 to 1; default 0.9)
    locality: float
    # local: edits drawn per decision (1 or more; default 8); flat: moves its network sees (1 or more; default 32)
    shortlist: int
    # local: with the proposals rule and trained: factor on the scores of the edits drawn (more than 0; default 8)
    sharpness: float
    # local: share of picks that ignore the scores (from 0 to 1; default 0.05)
    uniform_share: float
    # local: with the proposal delta: nats by which gains are divided (more than 0; default 5)
    delta_temperature: float
    # do not learn during the match: the challenger without its learning
    no_learning: bool
    # local: most edits of a perturbation (1 or more; default 20)
    longest: int
    # local: draw the lengths of perturbations uniformly, not by what succeeded
    fixed_length: bool
    # local: a loss of d nats is kept with probability exp(-d/T), 0: never (0 or more; default 1.5)
    temperature: float
    # local: kept perturbations without a new champion after which play returns to it (1 or more; default 200)
    return_after: int
    # local: when learning: what is learned is divided by this before the pick (more than 0; default 0.1)
    value_temperature: float
    # widths of the network's hidden layers (from 1 to 4096; default 32, paper 512,512)
    hidden: Sequence[int]
    # step size of Adam (more than 0; default 0.001, paper 0.0005)
    learning_rate: float
    # share of the online network that moves into the target network per update (more than 0 and at most 1; default
    # 0.01, paper 0.005)
    target_rate: float
    # transitions per update (1 or more; default 16, paper 512)
    batch: int
    # moves per update (1 or more; default 4, paper 1)
    train_every: int
    # transitions kept, at least a batch (1 or more; default 8000, paper 200000)
    replay: int
    # flat: every episode begins at the opponent's graph, not at the champion once there is a better one
    fixed_start: bool
    # flat, paper: moves of an episode; 0: 20 per column, flat at most 300 (0 or more; default 0)
    episode_moves: int
    # flat: weight of the rewards that follow a move (0 or more and less than 1; default 0.95); paper: weight of the
    # rewards that follow a move (from 0 to 1; default 0.99)
    discount: float
    # flat: the future of a move counts for at most W nats (more than 0; default 10)
    future_bound: float
    # flat, paper: share of random moves at the start, not below the floor (more than 0 and at most 1; default 0.25,
    # paper 1)
    epsilon: float
    # flat, paper: share of random moves in the end (more than 0 and at most 1; default 0.05)
    epsilon_floor: float
    # flat, paper: moves from the one to the other (0 or more; default 20000, paper 400000)
    epsilon_steps: int
    # flat, paper: price of an edge in the reward (0 or more; default 0.005)
    lambda_: float
    # paper: how the network takes its steps: adam or sgd (default adam)
    optimizer: str
    # paper: longest gradient of an update, longer ones are shortened; 0: any (0 or more; default 0)
    clip: float
    # paper: updates after which the learning rate falls, again and again; 0: never (0 or more; default 0)
    rate_steps: int
    # paper: what the learning rate is multiplied by then (more than 0 and at most 1; default 0.9)
    rate_decay: float
    # paper: added to the reward of a move to the player's best graph so far (0 or more; default 0)
    bonus: float
    # paper: episodes of each player, whatever they find; 0: as many as moves allows (0 or more; default 0)
    episodes: int
    # paper: let only the last graph of every P-th episode be champion; 0: any graph visited (0 or more; default 0)
    champion_every: int
    # paper: where no time_limit is given, refuse what would take longer (more than 0; default 1)
    most_hours: float
    # paper: refuse what would need more memory (more than 0; default 2)
    most_gigabytes: float
    # paper: price of a move in the reward (0 or more; default 0.01)
    step_cost: float
    # after the match, go on until no graph is left that could score higher, or until the time limit, half of which it
    # gets
    prove: bool
    # do not ask how much better any graph could be
    no_prove: bool
    # most parents of a node in the graphs that the proof speaks of (1 or more; default: as many as the time allows,
    # best all)
    prove_parents: int
    # for every edge, how much less the best graph without it scores, and the best without its arrow
    edge_losses: bool
    # after play, regress each node on its parents, and let graphs without the insignificant ones be candidates: none or
    # cam (default none)
    prune: str
