"""A search from Python and what it returns."""

import fcntl
import os
import pickle
import struct
import subprocess
import sys
import termios
import textwrap

import numpy as np
import pandas as pd
import pytest

import agon


@pytest.fixture(scope="module")
def asia():
    return agon.datasets.load("asia", rows=1000)


@pytest.fixture(scope="module")
def result(asia):
    return agon.discover(asia, moves=5000, bootstrap=5, truth="asia", progress=False)


def test_a_result_says_what_was_found(result, asia):
    assert result.nodes_ == tuple(asia.columns)
    assert result.score_ >= result.opponent_score_
    assert result.score_name_ == "qnml-edges"
    assert result.certificate_["never_worse"] and result.certificate_["one_optimal"]
    edges = result.edges_
    assert edges.columns.tolist() == ["from", "to", "arrow", "strength", "p_edge", "p_arrow", "p_reverse"]
    assert set(edges["arrow"]) <= {"fixed", "open"}
    assert (edges["strength"] > 0).all()
    assert edges["p_edge"].between(0, 1).all()
    matrix = result.adjacency_matrix_
    assert matrix.index.tolist() == matrix.columns.tolist() == list(asia.columns)
    assert {(a, b) for a in matrix.index for b in matrix.columns if matrix.loc[a, b]} == set(result.dag_.directed)
    assert np.array_equal(result.causal_matrix, matrix.to_numpy())
    assert {frozenset(e) for e in result.cpdag_} == {frozenset(e) for e in result.dag_}
    assert result.history_["score"].is_monotonic_increasing
    assert result.history_["score"].iloc[-1] == pytest.approx(result.score_)
    assert result.metrics_["shd"] == agon.compare("asia", result)["shd"]
    assert f"{len(result.dag_.directed)} edges over 8 variables" in repr(result)
    assert "<table" in result._repr_html_()


def test_names_are_escaped_in_a_notebook():
    frame = pd.DataFrame({"<b>": [0, 1] * 50, "&": [0, 1] * 50, "c": list(range(4)) * 25})
    html = agon.discover(frame, moves=0, progress=False)._repr_html_()
    assert "<b>" not in html and "&lt;b&gt;" in html


def test_files_are_written_as_the_command_line_writes_them(result, tmp_path):
    """Whole, with the permissions that any new file has, and refused with the same sentence."""
    plain = tmp_path / "plain"
    plain.touch()
    for write, name in ((result.save, "result.json"), (result.report, "report.html")):
        write(tmp_path / name)
        assert (tmp_path / name).stat().st_mode == plain.stat().st_mode
        with pytest.raises(agon.InputError, match="cannot be written: this is a folder, expected a file"):
            write(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["plain", "report.html", "result.json"]


def test_saved_loaded_and_pickled_results_are_the_same(result, tmp_path):
    result.save(tmp_path / "result.json")
    loaded = agon.Result.load(tmp_path / "result.json")
    assert loaded == result and agon.Result.load(tmp_path) == result  # the file, or its folder
    assert loaded.score_ == result.score_
    assert set(loaded.dag_.directed) == set(result.dag_.directed)
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result and copy.nodes_ == result.nodes_
    assert sorted(os.listdir(tmp_path)) == ["result.json"]
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(agon.InputError, match="other.json"):
        agon.Result.load(tmp_path / "other.json")


def test_the_report_is_the_page_of_the_command_line(result, tmp_path):
    result.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_knowledge_is_kept(asia):
    known = {
        "required": [("asia", "smoke")],
        "forbidden": [("smoke", "lung"), ("lung", "smoke")],
        "tiers": [["asia", "smoke"], ["dysp"]],
    }
    found = agon.discover(asia, knowledge=known, moves=500, progress=False)
    assert ("asia", "smoke") in found.dag_.directed
    assert not {("smoke", "lung"), ("lung", "smoke"), ("dysp", "smoke")} & set(found.dag_.directed)
    assert found.record["knowledge"]["satisfied"]
    with pytest.raises(agon.InputError, match="knowledge given"):
        agon.discover(
            asia, knowledge={"required": [("asia", "smoke")], "forbidden": [("asia", "smoke")]}, progress=False
        )
    with pytest.raises(agon.UsageError, match="tears"):
        agon.discover(asia, knowledge={"tears": []}, progress=False)


def test_a_start_may_be_any_graph(asia):
    pairs = [("smoke", "lung"), ("smoke", "bronc")]
    by_pairs = agon.discover(asia, start=pairs, moves=0, progress=False)
    assert by_pairs.record["opponent"]["name"] == "file"
    assert by_pairs.record["opponent"]["edges"] == [list(p) for p in sorted(pairs)]
    graph = agon.Graph(tuple(asia.columns), tuple(pairs))
    for start in (graph, graph.adjacency_matrix(), graph.to_networkx()):
        assert agon.discover(asia, start=start, moves=0, progress=False).record["dag"] == by_pairs.record["dag"]
    with pytest.raises(agon.InputError, match="smoek"):
        agon.discover(asia, start=[("smoek", "lung")], progress=False)


def test_threads_do_not_change_the_answer(asia):
    one, two = (agon.discover(asia, moves=20000, threads=t, seed=5, progress=False) for t in (1, 2))
    assert one.record["dag"] == two.record["dag"] and one.score_ == two.score_


def test_a_callback_is_told_and_may_stop_by_raising():
    class Enough(Exception):
        pass

    told = []

    def listen(progress):
        told.append(progress)
        if progress.phase == "play":
            raise Enough

    with pytest.raises(Enough):
        agon.discover("alarm", rows=500, patience=10**8, moves=10**8, progress=listen)
    assert told[-1].gain >= 0 and told[-1].unit == "move" and told[-1].budget == 10**8


BESIDE = """
    import os, signal, sys, threading, agon
    sys.setswitchinterval(10**6)  # nobody is made to give the interpreter up: another thread runs when it is let go
    playing = threading.Event()
    counted = 0
    def count():
        global counted
        playing.wait()
        for _ in range(1000):
            counted += 1
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=count).start()
    told = lambda progress: progress.phase == "play" and playing.set()
    found = agon.discover("alarm", rows=500, threads=1, moves=10**7, patience=10**7, progress=told)
    playing.set()
    print(found.stopped_by_, counted)
"""


def test_other_threads_run_while_it_works():
    """The search lets go of the interpreter, and another thread counts to its end and interrupts it."""
    code = textwrap.dedent(BESIDE)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert run.stdout.split() == ["interrupted", "1000"], run.stderr


def test_time_limits_of_every_kind(asia):
    import datetime

    for limit in (0.2, "200ms", datetime.timedelta(milliseconds=200)):
        found = agon.discover("alarm", time_limit=limit, moves=10**8, patience=10**8, progress=False)
        assert found.stopped_by_ == "time limit"
        assert found.score_ >= found.opponent_score_


INTERRUPTED = """
    import os, signal, agon
    told = []
    def interrupt(progress):
        if progress.phase == "play" and not told:
            told.append(progress)
            os.kill(os.getpid(), signal.SIGINT)
    found = agon.discover("alarm", rows=500, moves=10**9, patience=10**9, progress=interrupt)
    print(found.stopped_by_, found.score_ >= found.opponent_score_, found.certificate_["never_worse"])
"""


def test_ctrl_c_stops_with_the_best_so_far():
    code = textwrap.dedent(INTERRUPTED)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert run.stdout.split() == ["interrupted", "True", "True"], run.stderr


def test_a_bar_on_a_terminal():
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    # Two million moves take long enough for the bar to be drawn, on any machine.
    code = "import agon; agon.discover('alarm', rows=500, moves=2 * 10**6, patience=10**9); print('done')"
    command = [sys.executable, "-W", "ignore", "-c", code]  # warnings come after the bar
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True) as run:
        os.close(theirs)
        shown = b""
        while b"best" not in shown or run.poll() is None:
            try:
                shown += os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
        assert run.stdout.read() == "done\n"
    assert b"play" in shown and b"best -" in shown
    assert shown.rstrip(b" ").endswith(b"\r")  # and is gone in the end


def test_nothing_is_printed(asia):
    code = "import agon; agon.discover('asia', rows=500); agon.ges('asia', rows=500)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_a_score_of_ones_own(asia, cli, tmp_path):
    table = agon.table(asia)
    asked = []

    def own(child, parents):
        asked.append((child, parents))
        return agon.score([(p, child) for p in parents], table).nodes[child]

    own.score_equivalent = True
    mine = agon.discover(table, opponent="ges", score=own, moves=50, progress=False)
    theirs = agon.discover(table, opponent="ges", moves=50, progress=False)
    assert mine.record["dag"] == theirs.record["dag"]
    assert mine.score_ == pytest.approx(theirs.score_)
    assert mine.certificate_ is None
    assert len(asked) == len(set(asked))  # every family once
    with pytest.raises(agon.UsageError, match="can be computed on other rows"):
        agon.discover(asia, score=own, bootstrap=3, progress=False)
    agon.discover(asia, score="bdeu", bootstrap=3, moves=50, progress=False)

    def likes(child, parents):
        return 1.0 if (child, parents) == ("lung", ("smoke",)) else -float(len(parents))

    assert agon.discover(asia, score=likes, moves=100, progress=False).dag_.directed == (("smoke", "lung"),)
    found = agon.discover(asia, score=likes, moves=100, progress=False)
    found.save(tmp_path / "own.json")
    assert agon.Result.load(tmp_path / "own.json") == found
    asked = cli("verify", tmp_path / "own.json", "asia")
    assert asked.returncode == 3 and "a function that the caller wrote" in asked.stderr
    with pytest.raises(agon.UsageError, match="every member of a class"):
        agon.discover(asia, opponent="ges", score=likes, progress=False)

    def broken(child, parents):
        raise KeyError(child)

    with pytest.raises(KeyError):
        agon.discover(asia, score=broken, progress=False)


def test_a_model_that_cannot_be_fitted():
    x = np.random.default_rng(0).normal(size=50)
    with pytest.raises(agon.ScoreUndefined):
        agon.score([("a", "b")], {"a": x, "b": 2 * x}, score="copula-bic")


def test_posterior_is_told_by_pairs_and_paths(asia):
    result = agon.ges(asia, posterior=True)
    pairs = result.posterior_
    assert (abs(pairs.p_edge - pairs.p_forward - pairs.p_backward) < 1e-9).all()
    assert pairs.p_edge.is_monotonic_decreasing
    paths = result.ancestors_
    assert list(paths.index) == list(result.nodes_)
    assert ((paths + paths.T) <= 1 + 1e-9).all().all()
    for row in pairs.itertuples():  # an arrow is a path
        assert paths.loc[row.a, row.b] >= row.p_forward - 0.01
    assert agon.ges(asia).posterior_ is None

    trusted = result.trusted_edges_
    assert len(trusted) == len(result.record["posterior"]["consensus"]["edges"]) > 0
    assert (trusted["p_edge"] > 0.5).all()
    assert ((trusted["p_arrow"] + trusted["p_reverse"] - trusted["p_edge"]).abs() < 1e-9).all()
    assert agon.ges(asia).trusted_edges_ is None
    assert agon.ges(asia).ancestors_ is None
    sampled = agon.boss(asia, posterior=True, posterior_steps=2000)
    assert sampled.record["posterior"]["sample"]["steps"] == 2000
