"""Claims checked on a Ray cluster of two nodes on this machine, one of whose processes is killed in the midst."""

import io
import os
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ray_work
from mocked_checks import IDENTITY, TODAY, Mocked, checks_of, outcomes_in, rows
from small_world import World, write_claims
from wkgfc.batch.rows import ClaimRow
from wkgfc.batch.runner import Runner
from wkgfc.batch.running import Batch, BatchRun
from wkgfc.batch.shards import Shard, left_over
from wkgfc.batch.shipping import packed, unpacked
from wkgfc.batch.sqlite import SqliteDatabase
from wkgfc.batch.store import Store
from wkgfc.batch.workers import CheckedElsewhere
from wkgfc.config import load_settings
from wkgfc.errors import NotConfigured

TESTS = Path(ray_work.__file__).parent


def files(folder: Path, pattern: str = "*") -> list[Path]:
    return list(folder.glob(pattern))


async def test_a_shard_goes_on_with_what_is_in_its_file(tmp_path: Path) -> None:
    claims = rows(6)
    outcomes = list((await checks_of(Mocked()).check(claims)).outcomes)
    shard = Shard(tmp_path, claims)
    shard.add(outcomes[:2])
    (part,) = files(tmp_path)
    with part.open("ab") as file:
        file.write(b'{"place": 2, "sta')  # torn by a kill
    assert Shard(tmp_path, claims).read() == outcomes[:2]
    Shard(tmp_path, claims).add(outcomes[2:])
    shard.finish()
    assert Shard(tmp_path, claims).read() == outcomes
    ((path, found),) = left_over(tmp_path)
    assert found == outcomes
    assert path.name.endswith(".shard.jsonl")
    shard.remove()
    assert files(tmp_path) == []


def test_a_store_that_was_sent_is_the_same(world: World, tmp_path: Path) -> None:
    name, content = packed(Path(world.web))
    place = unpacked(name, content, tmp_path)
    assert unpacked(name, b"not looked at again", tmp_path) == place
    names = [each.name for each in Path(world.web).iterdir() if not each.name.endswith(".lock")]
    assert sorted(each.name for each in place.iterdir()) == sorted(names)
    assert all((place / each).read_bytes() == (Path(world.web) / each).read_bytes() for each in names)


def test_nothing_of_a_parcel_lands_outside_of_its_folder(tmp_path: Path) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as parcel:
        parcel.writestr("../../outside", b"x")
        parcel.writestr(str(tmp_path / "outside"), b"x")
        parcel.writestr("inside", b"x")
    place = unpacked("store", content.getvalue(), tmp_path / "stores")
    assert all(file.is_relative_to(place) for file in tmp_path.rglob("*") if file.name in ("outside", "inside"))
    assert (place / "inside").read_bytes() == b"x"


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    ray: Any = pytest.importorskip("ray")
    cluster_class: Any = pytest.importorskip("ray.cluster_utils").Cluster
    paths, node = os.environ.get("PYTHONPATH", ""), {"num_cpus": 1, "object_store_memory": 100_000_000}
    os.environ["PYTHONPATH"] = os.pathsep.join([str(TESTS), *sys.path])  # the processes of the nodes inherit it
    nodes = cluster_class(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    nodes.add_node(**node)
    ray.init(address=nodes.address, log_to_driver=False)
    try:
        yield nodes.address
    finally:
        ray.shutdown()
        nodes.shutdown()
        os.environ["PYTHONPATH"] = paths


@pytest.fixture(autouse=True)
def _only_when_asked(request: pytest.FixtureRequest) -> None:
    """A cluster takes half a minute to start, so that these run with ``-m ray``."""
    if request.node.get_closest_marker("ray") and "ray" not in request.config.option.markexpr:
        pytest.skip("needs a Ray cluster: pytest -m ray")


@pytest.mark.ray
@pytest.mark.timeout(600)
class TestCluster:
    async def test_a_lost_process_changes_nothing_and_what_it_had_done_is_not_paid_again(
        self, cluster: str, tmp_path: Path
    ) -> None:
        from wkgfc.batch.ray_engine import RayTasks

        claims = [*rows(200), ClaimRow(200, 201, "c200", "Ada Verne painted deadly pictures.")]
        found = {}
        for name in ("ray", "plain"):
            store = Store(SqliteDatabase(tmp_path / name / "runs.sqlite"))
            run = store.add_claims(store.begin("run", IDENTITY, "c", "d", TODAY), claims, is_last=True)
            if name == "ray":
                tasks = RayTasks(ray_work.begin, (str(tmp_path),), ray_work.work, folder=tmp_path / "shards")
                await Runner(store, run, CheckedElsewhere(tasks, block=32, places=4)).go()
            else:
                await Runner(store, run, checks_of(Mocked())).go()
            found[name] = outcomes_in(store)
            store.close()
        assert (tmp_path / "killed").exists()
        assert "ended by itself" in str(found["ray"].pop("c200")[4])
        del found["plain"]["c200"]
        assert found["ray"] == found["plain"]
        paid: Counter[str] = Counter()
        for file in files(tmp_path, "paid-*"):
            paid.update(file.read_text(encoding="utf-8").splitlines())
        assert len(paid) == 200
        assert paid.total() <= 200 + 8 + 32 * 2  # of the killed parts alone; those beside the deadly claim one by one
        assert len(files(tmp_path, "paid-*")) >= 2

    @pytest.mark.parametrize("stores", ["mounted", "shipped"])
    async def test_real_checks_come_to_what_the_plain_runner_finds(
        self, cluster: str, world: World, tmp_path: Path, stores: str
    ) -> None:
        claims = write_claims(
            tmp_path / "claims.jsonl", [{"id": row.id, "claim": row.claim} for row in world.rows("fever_val")]
        )
        found: list[Any] = []
        for engine in ("ray", "local"):
            settings = load_settings(kg=world.kg, web=world.web, run_stores=stores, run_workers=1)
            batch = Batch(claims, tmp_path / engine, "run", engine=engine, address=cluster)
            under_way = BatchRun(settings, batch)
            ending = await under_way.go()
            assert ending.reason == "finished"
            found.append(outcomes_in(under_way.store))
            under_way.close()
        assert found[0] == found[1]
        assert {each[0] for each in found[0].values()} == {"done"}

    async def test_a_cluster_that_is_not_there(self) -> None:
        from wkgfc.batch.ray_engine import connected

        ray: Any = pytest.importorskip("ray")
        if ray.is_initialized():
            pytest.skip("this process is connected to another one")
        with pytest.raises(NotConfigured, match="there is no Ray cluster"), connected("127.0.0.1:1"):
            pass
