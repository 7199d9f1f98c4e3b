"""A league on a Dask cluster of two workers, one of which is killed in mid-run."""

import os
import signal

import pytest

import agon

distributed = pytest.importorskip("distributed")

PLAN = {"opponents": ["ges", "boss", "tabu", "hc"], "seeds": 2, "moves": 60_000, "patience": 10**9}


@pytest.fixture(scope="module")
def frame():
    return agon.datasets.load("child", rows=300)


def test_a_killed_worker_does_not_change_the_champion(frame, tmp_path):
    plain = agon.league(frame, **PLAN)
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            local_directory=str(tmp_path / "dask"),
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        processes = client.run(os.getpid)
        assert len(processes) == 2
        executor = client.get_executor()
        killed = []

        class KillsOne:
            """Kills a worker when the first task has come back: six are still to be played."""

            def submit(self, fn, *args):
                future = executor.submit(fn, *args)
                future.add_done_callback(self.kill)
                return future

            def kill(self, _):
                if not killed:
                    killed.append(min(processes.values()))
                    os.kill(killed[0], signal.SIGKILL)

        found = agon.league(frame, executor=KillsOne(), folder=tmp_path / "league", **PLAN)
        client.wait_for_workers(2, timeout=60)
        assert killed and killed[0] not in client.run(os.getpid).values()
    assert found.champion_.record["dag"] == plain.champion_.record["dag"]
    assert found.champion_.score_ == plain.champion_.score_
    assert found.table_["score"].tolist() == plain.table_["score"].tolist()
    assert len(list((tmp_path / "league").glob("*.json"))) == 8
