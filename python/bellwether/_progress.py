"""A line that shows how far a long computation is, in a terminal and in a notebook."""

from __future__ import annotations

import sys
import time

WAIT = 2.0  # seconds before the line appears: what is short needs none
EVERY = 0.1  # seconds between two changes of it
BLOCKS = " ▏▎▍▌▋▊▉█"
WIDTH = 24


def bar(share: float) -> str:
    """A bar of eighths of a block."""
    eighths = round(share * WIDTH * 8)
    full, part = divmod(eighths, 8)
    return ("█" * full + (BLOCKS[part] if part else "")).ljust(WIDTH)


def duration(seconds: float) -> str:
    """9 s, 2:05, 1:00:00."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    hours, rest = divmod(whole, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Progress:
    """Shows the share that is done, on standard error, and how long the rest will take.

        with Progress("learning", show=True) as progress:
            progress(0.25)

    `show` may also be a function, which is called with every share instead. Nothing is shown during the first two
    seconds, nor where standard error is neither a terminal nor a notebook. A share that is smaller than the one before
    begins another stage: the time left is estimated anew.
    """

    def __init__(self, what: str, show: object = True):
        self.what = what
        self._call = show if callable(show) else None
        self._visible = bool(show) and not self._call and (sys.stderr.isatty() or "ipykernel" in sys.modules)
        self._begun = self._stage = time.monotonic()
        self._first = self._last = 0.0
        self._shown_at = 0.0
        self._length = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error) -> None:
        if self._length:
            took = duration(time.monotonic() - self._begun)
            self._write(f"{self.what}: {'stopped after' if error[0] else 'done in'} {took}", end="\n")

    def __call__(self, share: float, what: str | None = None) -> None:
        """Tells the share that is done, from 0 to 1; `what` renames what is being done."""
        if self._call:
            self._call(share)
            return
        if not self._visible:
            return
        now = time.monotonic()
        if share < self._last:
            self._stage, self._first = now, share
        self.what, self._last = what or self.what, share
        if now - self._begun < WAIT or now - self._shown_at < EVERY:
            return
        self._shown_at = now
        done = share - self._first
        left = f", {duration((now - self._stage) * (1 - share) / done)} left" if done > 0 and share < 1 else ""
        self._write(f"{self.what} {bar(share)} {100 * share:3.0f} %{left}")

    def _write(self, text: str, end: str = "") -> None:
        sys.stderr.write("\r" + text.ljust(self._length) + end)
        sys.stderr.flush()
        self._length = len(text)
