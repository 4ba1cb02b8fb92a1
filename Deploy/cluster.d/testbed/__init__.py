"""A highly available ConsentLink on one machine: every part in a network namespace of its own, so that it can be
killed, frozen and cut off. `Deploy/cluster` starts one for trying out; tests start one for each round of faults.

Needs root, Debian 12, and the packages that `Deploy/cluster up` installs. Uses Python's own library only."""

from .cluster import Cluster, ClusterError
from .etcd import EtcdMember
from .host import Host
from .network import Network
from .node import Node
from .patroni import PostgresMember

__all__ = ["Cluster", "ClusterError", "EtcdMember", "Host", "Network", "Node", "PostgresMember"]
