from collections.abc import Sequence
import os
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray


version: str

build: str

class InputError(ValueError):
    """
    A file or a table that cannot be used as it is.

    >>> import agon
    >>> agon.table({"a": []})
    Traceback (most recent call last):
    agon._agon.InputError: table: the table has 1 column and no rows
      hint: a table needs a column and a row
    """

class UsageError(ValueError):
    """
    An option or a name that does not exist or makes no sense.

    >>> import agon
    >>> agon.discover("asia", bootsrap=5, progress=False)
    Traceback (most recent call last):
    agon._agon.UsageError: there is no option "bootsrap"
      hint: did you mean bootstrap?
    """

class ScoreUndefined(ArithmeticError):
    """
    A model that cannot be fitted: the parents determine the child.

    >>> import agon
    >>> agon.score([("a", "b")], {"a": [0.5, 1, 2, 4], "b": [1, 2, 4, 8.]}, score="gaussian-bic")
    Traceback (most recent call last):
    agon._agon.ScoreUndefined: gaussian-bic: variable b is determined exactly by a, so it has no density given them
    """

class GuaranteeViolated(RuntimeError):
    """
    A promise of the search that was broken: a mistake of agon, never of the data.

    >>> import agon
    >>> issubclass(agon.GuaranteeViolated, RuntimeError)
    True
    """

class GraphText:
    """A graph: names, and edges as (a, b, glyph) such as "-->" or "---"."""

    def __init__(self, names: Sequence[str], edges: Sequence[tuple[str, str, str]], place: str, lists_every_node: bool) -> None: ...

    @property
    def names(self) -> list[str]: ...

    @property
    def edges(self) -> list[tuple[str, str, str]]: ...

    @property
    def place(self) -> str: ...

    def written(self, format: str) -> str:
        """The graph in a text format."""

    def cpdag(self) -> GraphText:
        """The CPDAG of a DAG."""

def load_graph(place: str) -> GraphText:
    """A graph file, or the true graph of an embedded data set."""

def parse_graph(text: str, place: str, format: str) -> GraphText: ...

def compare(truth: GraphText, graph: GraphText, seed: int) -> str:
    """Measures, as JSON text."""

def summary(result: str, full: bool, width: int) -> str:
    """
    The text that the command line prints for a result.json, with options as Python spells them.
    """

def remarks(result: str) -> list[tuple[str, str, str]]:
    """
    (from, to, remark) of every edge of a result.json: "weak", "arrow unsure", both, or nothing.
    """

def as_python(message: str) -> str:
    """A message with options as Python spells them."""

def html_report(result: str, place: str, table: Table | None) -> str:
    """report.html of a result.json, with effects if its table is given."""

def check_result(text: str, place: str) -> None:
    """InputError when the text is not a result.json."""

def write_file(path: str, text: str) -> None:
    """Whole or not at all."""

class Table:
    """
    A table that was read and checked. Several runs may share it.

    >>> import agon
    >>> table = agon.table({"x": [0.5, 1.5, None, 2.5], "word": ["b", "a", "b", "b"]})
    >>> table.rows, len(table), table.names, table.source, table.missing_cells, table.rows_dropped
    (4, 4, ['x', 'word'], 'table', 1, 0)
    >>> table.kind("x"), table.kind("word"), table.levels("word"), table.reason("x")
    ('continuous', 'categorical', ['a', 'b'], 'by its type')
    >>> table.values("word").tolist(), table.identifiers, table.weights, table.options
    ([1, 0, 1, 1], [], None, [])
    >>> table.experiments, table.experiment
    ([], None)
    >>> table.notes, table.warnings, table.kinds_inferred, table.is_summary
    ([], [], True, False)
    >>> table.resampled(1).rows, len(table.checksum), table.to_csv().splitlines()[0]
    (4, 16, 'x,word')
    """

    @property
    def rows(self) -> int:
        """How many rows it has."""

    @property
    def names(self) -> list[str]:
        """Names of the columns in the order of their source."""

    @property
    def source(self) -> str:
        """What messages call it: a path, or a name."""

    @property
    def checksum(self) -> str:
        """
        64 bits over names and cells, which the order of the columns does not change.
        """

    @property
    def rows_dropped(self) -> int:
        """Rows that were left out for a missing cell."""

    @property
    def missing_cells(self) -> int:
        """How many cells are missing."""

    @property
    def identifiers(self) -> list[str]:
        """
        Columns of text that says nothing, because it differs from row to row: they get no edge.
        """

    @property
    def weights(self) -> numpy.typing.NDArray[numpy.float64] | None:
        """How often each row counts; None: once."""

    @property
    def experiments(self) -> list[tuple[str, list[str], str, str]]:
        """
        The experiments that its rows come from, by name: (name, targets, intervention, batch). Empty: all rows were observed alike.
        """

    @property
    def experiment(self) -> numpy.typing.NDArray[numpy.int64] | None:
        """By row, the place of its experiment in experiments; or None."""

    @property
    def kinds_inferred(self) -> bool:
        """Whether the cells decided the kind of some column."""

    @property
    def is_summary(self) -> bool:
        """Whether it was read from a matrix of covariances or correlations."""

    @property
    def options(self) -> list[tuple[str, bool | int | float | str | list[str]]]:
        """missing and draws, where given: what runs do about the missing cells."""

    @property
    def notes(self) -> list[str]:
        """What was decided while the table was read."""

    @property
    def warnings(self) -> list[str]:
        """What may be a mistake in the file or in how it was read."""

    def kind(self, name: str) -> str:
        """"categorical" or "continuous"."""

    def reason(self, name: str) -> str:
        """Why a column is of its kind: "by its type", "4 integers", ..."""

    def values(self, name: str) -> numpy.typing.NDArray[Any]:
        """
        Cells of a column: numbers, or codes into levels(name). A missing cell is NaN, or the code -1. Without a copy, but for codes where a cell is missing.
        """

    def levels(self, name: str) -> list[str]:
        """Labels of a categorical column; none for a continuous one."""

    def resampled(self, number: int) -> Table:
        """As many rows, drawn with replacement, by weight."""

    def to_csv(self) -> str:
        """The table as CSV text."""

    def __len__(self) -> int: ...

def table_of_matrix(matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], names: Sequence[str], source: str, options: Sequence[tuple[str, bool | int | float | str | Sequence[str]]]) -> Table:
    """
    A table of continuous columns from a matrix of doubles in either order, copied once.
    """

def sample(network: str, rows: int, seed: int, settings: Sequence[str], soft: bool, targets: str) -> Table:
    """Rows drawn from an embedded network or a BIF file."""

class Summary:
    """
    A table of any length reduced to sums; made by :func:`agon.summarize`.

    Summaries of parts are added with ``+``, in any order. :func:`agon.discover`, the algorithms and :func:`agon.table` take
    one in place of a table, and so does the command line, of the file that :meth:`write` writes.

    >>> import agon
    >>> half = agon.summarize({"x": [1.0, 2.5, 4.0], "y": [0.5, 0.0, 3.0]})
    >>> whole = half + half
    >>> whole.rows, whole.names, whole.form, whole.parts, whole.dropped
    (6, ['x', 'y'], 'moments', 1, 0)
    >>> whole.kind("x"), whole.levels("x"), whole.experiments
    ('continuous', [], [])
    >>> agon.Summary.of_text(whole.text).rows, whole.notes
    (6, [])
    """

    @property
    def rows(self) -> int:
        """How many rows were added up."""

    @property
    def dropped(self) -> int:
        """Rows that were left out for a missing cell."""

    @property
    def names(self) -> list[str]:
        """Names of the columns."""

    @property
    def form(self) -> str:
        """
        "counts": the distinct rows of a table of categories; "moments": means and products.
        """

    @property
    def parts(self) -> int:
        """
        How many parts are kept apart; a bootstrap of moments resamples 20 or more.
        """

    @property
    def experiments(self) -> list[tuple[str, list[str], str, str]]:
        """
        The experiments that its rows come from: (name, targets, intervention, batch).
        """

    @property
    def notes(self) -> list[str]:
        """What was decided while it was made of files."""

    @property
    def text(self) -> str:
        """The text of its file."""

    def kind(self, name: str) -> str:
        """"categorical", "continuous" or "identifier"."""

    def levels(self, name: str) -> list[str]:
        """
        Labels of a categorical column that occurred; none for a continuous one.
        """

    def write(self, path: str | os.PathLike[str]) -> None:
        """
        Write the file that ``agon discover`` and every other command reads in place of a table.
        """

    @staticmethod
    def of_text(text: str) -> Summary:
        """The summary of :attr:`text`."""

    def __add__(self, other: Summary) -> Summary: ...

    def __len__(self) -> int: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

    def __repr__(self) -> str: ...

def summarize_table(table: Table, parts: bool, drop_missing: bool, moments: bool) -> Summary:
    """The sums of a table."""

def summarize_labelled(table: Table, parts: bool, drop_missing: bool, moments: bool, targets: str, experiment: str, within: Sequence[str], set: Sequence[tuple[str, str]], soft: bool) -> Summary:
    """The same where columns say which experiment a row comes from."""

def summarize_files(paths: Sequence[str], options: Sequence[tuple[str, bool | int | float | str | Sequence[str]]], parts: int, moments: bool, threads: int) -> Summary:
    """The sums of CSV files and of summaries."""

def summary_of_sums(json: str) -> Summary:
    """A summary of sums that an engine computed, as the JSON of its file."""

def in_label_order(labels: Sequence[str]) -> list[str]:
    """Labels as a category lists them: numbers by value, then text."""

def table_of_summary(summary: Summary, source: str, options: Sequence[tuple[str, bool | int | float | str | Sequence[str]]]) -> Table:
    """What a run takes in place of the rows."""

class TableBuilder:
    """Takes columns one at a time; masks are true where a cell is missing."""

    def __init__(self, source: str, strict: bool = False) -> None:
        """Text in a column of numbers is an error where it is strict."""

    def numbers(self, name: str, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], missing: Annotated[NDArray[numpy.bool_], dict(shape=(None,), device='cpu', writable=False)] | None) -> None: ...

    def integers(self, name: str, values: Annotated[NDArray[numpy.int64], dict(shape=(None,), device='cpu', writable=False)], missing: Annotated[NDArray[numpy.bool_], dict(shape=(None,), device='cpu', writable=False)] | None, kind: str) -> None:
        """
        Categories or numbers, by the rule for files, unless the kind is "category".
        """

    def labels(self, name: str, codes: Annotated[NDArray[numpy.int64], dict(shape=(None,), device='cpu', writable=False)], labels: Sequence[str], missing: Annotated[NDArray[numpy.bool_], dict(shape=(None,), device='cpu', writable=False)] | None, kind: str) -> None:
        """"text", "category" or "identifier"."""

    def check_weights(self, name: str, sampling: bool, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> None: ...

    def add_weights(self, name: str, sampling: bool, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], rows_of_zero: int, rows_read: int) -> None: ...

    def row_labels(self, role: str, name: str, codes: Annotated[NDArray[numpy.int64], dict(shape=(None,), device='cpu', writable=False)], labels: Sequence[str]) -> None:
        """Labels of rows: "experiment", "targets" or "within"."""

    def experiments(self, targets: Sequence[tuple[str, Sequence[str]]], batches: bool, intervention: str) -> None: ...

    def copy_experiments(self, experiments: Sequence[tuple[str, Sequence[str], str, str]], experiment: Annotated[NDArray[numpy.int64], dict(shape=(None,), device='cpu', writable=False)]) -> None: ...

    def copy_facts(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None, reasons: Sequence[str], kinds_inferred: bool, warnings: Sequence[str]) -> None: ...

    def finish(self, notes: Sequence[str], rows_dropped: int, options: Sequence[tuple[str, bool | int | float | str | Sequence[str]]]) -> Table: ...

def read_targets(path: str) -> list[tuple[str, list[str]]]:
    """What each experiment set, from a file experiment,targets."""

class Knowledge:
    """Edges that must or must not stand, and tiers."""

    def __init__(self, required: Sequence[tuple[str, str]], forbidden: Sequence[tuple[str, str]], tiers: Sequence[Sequence[str]]) -> None: ...

class Outcome:
    """What a run leaves behind."""

    @property
    def json(self) -> str:
        """The text of result.json."""

    @property
    def notes(self) -> list[str]: ...

    @property
    def warnings(self) -> list[str]: ...

    @property
    def table(self) -> Table: ...

    @property
    def given(self) -> Table: ...

    def graphs(self) -> list[str]:
        """Which graphs there are."""

    def graph(self, which: str) -> GraphText: ...

    def written(self, which: str, format: str) -> str:
        """A graph in a text format."""

def read_table(source: str, options: Sequence[tuple[str, bool | int | float | str | Sequence[str]]]) -> Table:
    """A file, or an embedded data set by name."""

def run(algorithm: str, table: Table, options: Sequence[tuple[str, bool | int | float | str | Sequence[str]]], start: GraphText | None, truth: GraphText | None, knowledge: Knowledge | None, own_score: object | None, equivalent: bool, command: str, progress: object | None) -> Outcome:
    """One algorithm, or a match when its name is empty."""

def score_graph(graph: GraphText, table: Table, options: Sequence[tuple[str, bool | int | float | str | Sequence[str]]]) -> tuple[str, float, dict[str, float]]: ...

def check_missing(policy: str) -> None:
    """UsageError when there is no such treatment of missing cells."""

def options_of(kind: str) -> list[tuple[str, str, str, str]]:
    """The options of "discover" or "run"."""

def effect(result: str, table: Table, of: Sequence[str], on: str, levels: Sequence[str], resample: int, bootstrap: int, seed: int, knowledge: Knowledge | None) -> tuple[str, str]:
    """The effect of columns on another: JSON and text."""

def effects(result: str, table: Table, of: str, on: str) -> tuple[str, str]:
    """All effects of a column, or on one: JSON and text."""

def next(result: str, table: Table | None, budget: int, of: str, on: str) -> tuple[str, str]:
    """What to find out next: JSON and text."""

def opponents() -> list[tuple[str, str, str, str]]:
    """(name, summary, source, maturity) of every algorithm."""

def challengers() -> list[tuple[str, str, str, str]]:
    """(name, summary, source, maturity) of every challenger."""

def scores() -> list[tuple[str, str, str, str, str]]:
    """(name, formula, source) of every score."""

def datasets() -> list[tuple[str, str, int, int, int, str, str]]:
    """(name, kind, nodes, edges, rows, source, licence) of every data set."""

def did_you_mean(word: str, known: Sequence[str]) -> str:
    """"did you mean NAME?", or nothing when no candidate is near."""

def formats() -> list[str]:
    """Names of the graph formats."""
