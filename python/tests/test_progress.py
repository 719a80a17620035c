"""The line that shows progress."""

import io
from types import SimpleNamespace

import pytest

from bellwether import _progress
from bellwether._progress import Progress, bar, duration


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: clock[0])
    out = Terminal()
    monkeypatch.setattr(_progress, "sys", SimpleNamespace(stderr=out, modules={}))
    return clock, out


def test_a_short_computation_shows_nothing(terminal):
    clock, out = terminal
    with Progress("learning") as progress:
        for share in (0, 0.5, 1):
            clock[0] += 0.5
            progress(share)
    assert out.getvalue() == ""


def test_a_long_one_shows_its_share_and_the_time_left_and_ends_its_line(terminal):
    clock, out = terminal
    with Progress("learning") as progress:
        clock[0] += 10
        progress(0.25)
    lines = out.getvalue().split("\r")
    assert " 25 %" in lines[1] and "30 s left" in lines[1]
    assert lines[-1].startswith("learning: done in 10 s") and lines[-1].endswith("\n")


def test_a_stage_that_begins_anew_is_timed_anew(terminal):
    clock, out = terminal
    with Progress("ranges") as progress:
        clock[0] += 100
        progress(1)
        progress(0, "learning")
        clock[0] += 10
        progress(0.5, "learning")
    assert "learning" in out.getvalue() and "10 s left" in out.getvalue()


def test_an_error_says_that_it_stopped(terminal):
    clock, out = terminal
    with pytest.raises(KeyboardInterrupt), Progress("sweep") as progress:
        clock[0] += 3
        progress(0.5)
        raise KeyboardInterrupt
    assert "stopped after 3 s" in out.getvalue()


def test_a_function_gets_every_share_and_nothing_is_written(terminal):
    shares = []
    with Progress("learning", shares.append) as progress:
        progress(0.5)
        progress(1)
    assert shares == [0.5, 1] and terminal[1].getvalue() == ""


def test_what_is_no_terminal_gets_nothing(monkeypatch, capsys):
    monkeypatch.setattr(_progress, "WAIT", 0)
    with Progress("learning") as progress:
        progress(0.5)
    assert capsys.readouterr().err == ""


def test_bars_and_durations():
    assert bar(0).strip() == "" and bar(1) == "█" * 24 and bar(0.5) == "█" * 12 + " " * 12
    assert [duration(s) for s in (0, 9.4, 65, 3600)] == ["0 s", "9 s", "1:05", "1:00:00"]
