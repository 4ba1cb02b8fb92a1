"""The hosts that rounds of faults are run on: those of Deploy/cluster."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Deploy/cluster.d"))

import testbed
from testbed import ClusterError, EtcdMember, Host, Network, Node, PostgresMember

__all__ = ["Cluster", "ClusterError", "EtcdMember", "Host", "Network", "Node", "PostgresMember"]


class Cluster(testbed.Cluster):
    """Runs the release build; END_TO_END_BINARY names another one."""

    def __init__(self, folder=None, *, binary=None, **settings):
        default = os.environ.get("END_TO_END_BINARY", ROOT / ".build/release/consentlink")
        super().__init__(folder, binary=binary or default, **settings)
