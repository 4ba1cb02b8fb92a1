"""The hosts that rounds of faults are run on: those of Deploy/cluster."""

import os
import sys
from pathlib import Path

from harness.moving_clock import MovingClock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Deploy/cluster.d"))

import testbed  # noqa: E402
from testbed import ClusterError, EtcdMember, Host, Network, Node, PostgresMember  # noqa: E402

__all__ = ["BINARY", "Cluster", "ClusterError", "EtcdMember", "Host", "Network", "Node", "PostgresMember", "ROOT"]

# The release build; END_TO_END_BINARY names another one.
BINARY = Path(os.environ.get("END_TO_END_BINARY", ROOT / ".build/release/consentlink"))


class Cluster(testbed.Cluster):
    """`clocks`: nodes whose clock can be moved (`cluster.clocks`), by name."""

    def __init__(self, folder=None, *, binary=None, clocks=(), **settings):
        self.clocks = {}
        self._clock_names = clocks
        super().__init__(folder, binary=binary or BINARY, **settings)

    def _lay_out(self, network):
        super()._lay_out(network)
        for name in self._clock_names:
            folder = self.folder / f"{name}.clock"
            folder.mkdir(exist_ok=True)
            self.clocks[name] = MovingClock(folder)
            network.hosts[name].environment = self.clocks[name].settings

    def recover(self):
        for clock in self.clocks.values():
            clock.set(0)
        super().recover()

    def replace(self, node, binary):
        """Ends a node, and starts it again with another program."""
        node.stop()
        node.binary = str(binary)
        if "--peer-address" not in node.flags:
            node.flags += ["--peer-address", node.api]
        node.start()
