"""How hosts are treated: three requests at once, no more than asked for, and a rest for those that fail."""

import asyncio
import datetime as dt
import threading
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misbehaving import Gate, Misbehaving, misbehaving, redirect, refuse, reply
from wkgfc.http import Answer, Request, Unanswered
from wkgfc.http.client import LiveHttp
from wkgfc.http.courtesy import LONGEST_PAUSE_S, Courtesy, NotNow, process_courtesy, retry_after_s
from wkgfc.http.deadline import deadline

NOW = dt.datetime(2030, 5, 17, 12, 0, 0, tzinfo=dt.UTC)


async def settled() -> None:
    """Let everything that can go on go on."""
    for _ in range(50):
        await asyncio.sleep(0.002)


async def test_a_host_gets_three_requests_at_once(server: Misbehaving, http: LiveHttp) -> None:
    gate = Gate()
    server.on("/x", gate)
    asked = asyncio.gather(*(http.send(Request(server.url("/x"), kind="entity")) for _ in range(20)))
    await gate.wait_for(3)
    await settled()
    assert gate.arrived == 3
    gate.opened.set()
    assert {type(outcome) for outcome in await asked} == {Answer}
    assert server.most_at_once == 3
    assert gate.arrived == 20


async def test_another_host_does_not_wait_for_it(server: Misbehaving, http: LiveHttp) -> None:
    gate = Gate()
    server.on("/x", gate)
    async with misbehaving() as other:
        other.on("/", reply())
        slow = asyncio.gather(*(http.send(Request(server.url("/x"), kind="entity")) for _ in range(5)))
        assert isinstance(await http.send(Request(other.url("/"), kind="entity")), Answer)
        gate.opened.set()
        await slow


async def test_a_place_is_not_held_while_a_redirect_is_followed(server: Misbehaving, http: LiveHttp) -> None:
    server.on("/a", redirect("/b"))
    server.on("/b", reply())
    outcomes = await asyncio.gather(*(http.send(Request(server.url("/a"), kind="page")) for _ in range(9)))
    assert {type(outcome) for outcome in outcomes} == {Answer}


async def test_three_is_for_all_clients_and_event_loops_of_the_process() -> None:
    courtesy = Courtesy()
    async with misbehaving() as server:
        gate = Gate()
        server.on("/x", gate)
        url, answers = server.url("/x"), list[Any]()

        def run() -> None:
            async def ask() -> None:
                async with LiveHttp("WKGFC", courtesy=courtesy) as http:
                    answers.extend(await asyncio.gather(*(http.send(Request(url, kind="entity")) for _ in range(3))))

            asyncio.run(ask())

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        await gate.wait_for(3)
        await settled()
        assert gate.arrived == 3
        gate.opened.set()
        for thread in threads:
            await asyncio.to_thread(thread.join)
        assert {type(answer) for answer in answers} == {Answer}
        assert len(answers) == 9
        assert server.most_at_once == 3


def test_there_is_one_courtesy_in_the_process() -> None:
    assert process_courtesy() is process_courtesy()


@pytest.mark.parametrize("status", [429, 503])
async def test_what_one_request_is_told_every_later_one_obeys(
    status: int, server: Misbehaving, courtesy: Courtesy, time: Any
) -> None:
    server.on("/x", refuse(status, {"Retry-After": "30"}), reply())
    server.on("/y", reply())
    async with LiveHttp("WKGFC", courtesy=courtesy, sleep=time.sleep, attempts=1) as first:
        outcome = await first.send(Request(server.url("/x"), kind="query"))
    assert isinstance(outcome, Unanswered)
    async with LiveHttp("WKGFC", courtesy=courtesy, sleep=time.sleep) as second:
        assert isinstance(await second.send(Request(server.url("/y"), kind="entity")), Answer)
    assert time.waits == [30.0]


async def test_a_wait_that_is_asked_for_is_waited_and_the_request_sent_again(
    server: Misbehaving, http: LiveHttp, time: Any
) -> None:
    server.on("/x", refuse(429, {"Retry-After": "20"}), reply())
    assert isinstance(await http.send(Request(server.url("/x"), kind="query")), Answer)
    assert time.waits == [20.0]
    later = format_datetime(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=60), usegmt=True)
    server.on("/x", refuse(429, {"Retry-After": later}), reply())
    assert isinstance(await http.send(Request(server.url("/x"), kind="query")), Answer)
    assert 1.0 < time.waits[-1] <= 60.0


async def test_a_wait_that_is_longer_than_the_check_is_not_waited_and_nothing_is_sent(
    server: Misbehaving, http: LiveHttp, time: Any
) -> None:
    server.on("/x", refuse(429, {"Retry-After": "600"}), reply())
    with deadline(20.0):
        first = await http.send(Request(server.url("/x"), kind="query"))
        second = await http.send(Request(server.url("/x"), kind="query"))
    reason = f"127.0.0.1:{server.port} asked to wait 600 s, which is longer than there is time for"
    assert first == second == Unanswered(reason)
    assert server.asked("/x") == 1
    assert time.waits == []
    time.now += 600.0
    assert isinstance(await http.send(Request(server.url("/x"), kind="query")), Answer)


async def test_a_host_that_wants_less_without_saying_when_is_left_for_a_second(
    server: Misbehaving, http: LiveHttp, time: Any
) -> None:
    server.on("/x", refuse(429), reply())
    assert isinstance(await http.send(Request(server.url("/x"), kind="search", idempotent=True)), Answer)
    assert sum(time.waits) >= 1.0


async def test_a_host_that_fails_and_fails_is_left_alone_and_then_tried_once(
    server: Misbehaving, courtesy: Courtesy, time: Any
) -> None:
    server.on("/x", refuse(502))
    async with LiveHttp("WKGFC", courtesy=courtesy, sleep=time.sleep, attempts=1) as http:
        request = Request(server.url("/x"), kind="query")
        for _ in range(5):
            await http.send(request)
        outcome = await http.send(request)
        host = f"127.0.0.1:{server.port}"
        assert outcome == Unanswered(f"{host} failed 5 times in a row and is left alone for 30 s")
        assert server.asked("/x") == 5
        time.now += 31
        await http.send(request)
        await http.send(request)
        assert server.asked("/x") == 6
        time.now += 31
        server.on("/x", reply())
        assert isinstance(await http.send(request), Answer)
        server.on("/x", refuse(502), reply())
        await http.send(request)
        assert isinstance(await http.send(request), Answer)


async def test_refusals_and_errors_about_one_request_are_not_failures_of_the_host(
    server: Misbehaving, http: LiveHttp
) -> None:
    server.on("/x", refuse(500))
    server.on("/y", reply())
    for _ in range(10):
        await http.send(Request(server.url("/x"), kind="query"))
    assert isinstance(await http.send(Request(server.url("/y"), kind="query")), Answer)


async def test_who_is_cancelled_while_waiting_takes_no_place_along() -> None:
    courtesy = Courtesy(at_once=1)
    order: list[str] = []

    async def visit(name: str) -> None:
        async with courtesy.turn("host", 10.0):
            order.append(name)
            await asyncio.sleep(0)

    async with courtesy.turn("host", 10.0):
        waiting = [asyncio.create_task(visit(name)) for name in "abc"]
        await asyncio.sleep(0)
        waiting[1].cancel()
        await asyncio.sleep(0)
    waiting[0].cancel()  # in the very moment in which it gets the place
    await asyncio.gather(*waiting, return_exceptions=True)
    assert order == ["c"]
    async with asyncio.timeout(5), courtesy.turn("host", 10.0):
        order.append("d")
    assert order == ["c", "d"]


async def test_a_waiter_whose_event_loop_is_gone_is_passed_over() -> None:
    courtesy = Courtesy(at_once=1)

    async def wait_in_vain() -> None:
        async with courtesy.turn("host", 10.0):
            raise AssertionError("unreachable")

    def abandoned() -> None:
        loop = asyncio.new_event_loop()
        task = loop.create_task(wait_in_vain())
        loop.call_later(0.01, loop.stop)
        loop.run_forever()
        loop.close()
        task._log_destroy_pending = False  # type: ignore[attr-defined]

    async with courtesy.turn("host", 10.0):
        await asyncio.to_thread(abandoned)
    async with asyncio.timeout(5), courtesy.turn("host", 10.0):
        pass


async def test_hosts_at_rest_are_forgotten(time: Any) -> None:
    courtesy = Courtesy(clock=time.clock, sleep=time.sleep)
    courtesy.pause("strict", 100.0)
    for number in range(5_000):
        async with courtesy.turn(f"host-{number}", 1.0):
            pass
    assert len(courtesy._hosts) <= 2_000
    with pytest.raises(NotNow):
        async with courtesy.turn("strict", 1.0):
            pass


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        (" 120 ", 120.0),
        ("99999999999999999999", LONGEST_PAUSE_S),
        ("Fri, 17 May 2030 12:00:30 GMT", 30.0),
        ("Friday, 17-May-30 12:00:30 GMT", 30.0),
        ("Fri, 17 May 2030 11:00:00 GMT", 0.0),
        ("Mon, 17 May 2060 12:00:00 GMT", LONGEST_PAUSE_S),
        ("-1", None),
        ("1.5", None),
        ("٣", None),
        ("soon", None),
        ("", None),
        (None, None),
        ("Fri, 99 May 2030 12:00:00 GMT", None),
    ],
)
def test_retry_after_is_read_in_both_forms(value: str | None, seconds: float | None) -> None:
    assert retry_after_s(value, NOW) == seconds


@settings(deadline=None)
@given(st.one_of(st.text(), st.from_regex(r"[A-Z][a-z]{2}, \d{1,9} [A-Z][a-z]{2} -?\d{1,9} [\d:]{1,12} [\w+-]{1,9}")))
def test_no_retry_after_breaks_the_reader(value: str) -> None:
    seconds = retry_after_s(value, NOW)
    assert seconds is None or 0.0 <= seconds <= LONGEST_PAUSE_S
