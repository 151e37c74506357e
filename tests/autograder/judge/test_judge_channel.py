"""Frames over a socket: caps and deadlines that a hostile peer cannot stretch."""

from __future__ import annotations

import socket
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.runner.channel import Channel, ChannelClosed, ChannelTimeout, FrameTooLarge


@pytest.fixture
def pair():
    here, there = socket.socketpair()
    yield Channel(here, max_frame=10_000_000), there
    here.close()
    there.close()


@given(st.lists(st.binary(max_size=300), max_size=8))
def test_frames_arrive_as_they_were_sent(frames):
    here, there = socket.socketpair()
    with here, there:
        for frame in frames:
            Channel(here).send(frame)
        assert [Channel(there).receive(time.monotonic() + 5) for _ in frames] == frames


def test_a_frame_larger_than_the_sockets_buffer_goes_over(pair):
    channel, there = pair
    frame = b"x" * 5_000_000
    other = threading.Thread(target=lambda: Channel(there).send(Channel(there).receive()))
    other.start()
    channel.send(frame, time.monotonic() + 20)
    assert channel.receive(time.monotonic() + 20) == frame
    other.join()


def test_a_peer_that_stalls_in_mid_frame_meets_the_deadline(pair):
    channel, there = pair
    there.sendall((100).to_bytes(4, "big") + b"half")
    with pytest.raises(ChannelTimeout):
        channel.receive(time.monotonic() + 0.2)


def test_a_peer_that_sends_a_byte_now_and_then_does_not_renew_the_deadline(pair):
    channel, there = pair
    there.sendall((10_000).to_bytes(4, "big"))
    stop = threading.Event()

    def trickle():
        while not stop.wait(0.02):
            there.send(b"x")

    other = threading.Thread(target=trickle)
    other.start()
    try:
        with pytest.raises(ChannelTimeout):
            channel.receive(time.monotonic() + 0.5)
    finally:
        stop.set()
        other.join()


def test_a_peer_that_reads_nothing_meets_the_deadline(pair):
    channel, _ = pair
    with pytest.raises(ChannelTimeout):
        channel.send(b"x" * 9_000_000, time.monotonic() + 0.2)


def test_a_length_past_the_cap_is_refused_before_anything_is_read(pair):
    channel, there = pair
    there.sendall(b"\xff\xff\xff\xff")
    with pytest.raises(FrameTooLarge):
        channel.receive(time.monotonic() + 5)
    with pytest.raises(FrameTooLarge):
        channel.send(b"x" * 10_000_001)


def test_a_peer_that_is_gone_is_noticed_both_ways(pair):
    channel, there = pair
    there.close()
    with pytest.raises(ChannelClosed):
        channel.receive(time.monotonic() + 5)
    with pytest.raises(ChannelClosed):
        channel.send(b"x" * 1_000_000, time.monotonic() + 5)
