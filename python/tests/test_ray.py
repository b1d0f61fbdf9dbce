"""Simulations on a cluster of Ray, of which workers die."""

import os
import signal
import threading
import time

import pytest

ray = pytest.importorskip("ray")

import lusoria  # noqa: E402
import lusoria.ray  # noqa: E402
from documented import block  # noqa: E402

GAMES = 120_000


@pytest.fixture(scope="module")
def cluster():
    """Two workers on this machine, each a node of its own."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster, second
    ray.shutdown()
    cluster.shutdown()


def test_a_worker_that_is_killed_changes_nothing(cluster, monkeypatch, tmp_path):
    part, mark = lusoria.ray._part, tmp_path / "killed"

    def killed_once(*given):
        if given[2] == 5 and not mark.exists():
            mark.touch()
            threading.Timer(0.02, os.kill, [os.getpid(), signal.SIGKILL]).start()
            part(*given)
            time.sleep(60)
        return part(*given)

    monkeypatch.setattr(lusoria.ray, "_part", killed_once)
    told = []
    result = lusoria.ray.simulate("pente", GAMES, seed=7, shards=12, progress=told.append)
    assert mark.exists() and sum(told) == GAMES
    assert result == lusoria.simulate("pente", GAMES, seed=7)


def test_a_node_that_is_lost_changes_nothing(cluster):
    nodes, second = cluster
    told, lost = [], []

    def progress(more):
        told.append(more)
        if not lost:
            lost.append(second)
            nodes.remove_node(second, allow_graceful=False)

    result = lusoria.ray.simulate("pente", GAMES, seed=8, shards=12, progress=progress)
    assert lost and sum(told) == GAMES
    assert result == lusoria.simulate("pente", GAMES, seed=8)


def test_faults_of_games_are_raised(cluster):
    game = lusoria.loads(
        """
        game "Faulty" {
          players White, Black
          board square 3 by 3
          piece stone
          move { pick c from empty   place stone on c   let n = 1 / (count(own) - 1) }
          end { draw if no empty }
        }
        """
    )
    with pytest.raises(lusoria.FaultError):
        lusoria.ray.simulate(game, 10)


def test_the_example_of_the_documentation_runs(cluster):
    example = block("scale.md", "import ray")
    # The cluster is there, and small.
    for written, instead in [("ray.init(", "dict("), ("10**10", "1000")]:
        assert written in example
        example = example.replace(written, instead)
    names = {}
    exec(example, names)
    assert names["result"] == lusoria.simulate("pente", 1000, seed=7)
