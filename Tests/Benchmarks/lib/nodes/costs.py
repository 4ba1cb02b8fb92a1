"""What work costs: processor time of each part, WAL, bytes in tables and on the network."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of_processes(processes, reaped=False):
    """Seconds of the processor. `reaped`: with those of children that have ended and were waited for."""
    total = 0
    for process in processes:
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(map(int, fields[11 : 15 if reaped else 13]))
    return total / TICKS


def server_cpu(member):
    """Of the PostgreSQL server alone, without its agent."""
    processes = member.server_processes()
    return cpu_of_processes(processes[:1], reaped=True) + cpu_of_processes(processes[1:])


def network_bytes(host):
    """Received and sent through the host's cable since it was made."""
    fields = Path(f"/proc/{host.processes()[0]}/net/dev").read_text().partition("eth0:")[2].split()
    return int(fields[0]), int(fields[8])


@dataclass
class Reading:
    time: float
    nodes: float
    servers: dict
    wal: int
    size: int
    turns: int
    network: dict


class Meter:
    """Counters of the whole cluster at one moment."""

    def __init__(self, bed, nodes):
        self.bed = bed
        self.nodes = nodes
        states = bed.cluster.states()
        self.roles = {role: bed.cluster.host(name) for name, (role, *_) in states.items()}

    def read(self):
        row = self.bed.psql(
            "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0'), pg_database_size(current_database()), "
            "(SELECT generation FROM writer)")
        wal, size, turns = map(int, row.split("|"))
        return Reading(
            time.monotonic(), cpu_of_processes(node.process for node in self.nodes),
            {role: server_cpu(member) for role, member in self.roles.items()}, wal, size, turns,
            {"nodes": tuple(map(sum, zip(*(network_bytes(node) for node in self.nodes), strict=True))),
             **{role: network_bytes(member) for role, member in self.roles.items()}})

    def table_bytes(self):
        """By table with its indexes, parts together."""
        rows = self.bed.psql(
            "SELECT coalesce(i.inhparent::regclass, c.oid::regclass)::text, sum(pg_total_relation_size(c.oid)) "
            "FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid "
            "WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY 1")
        return {name: int(size) for name, _, size in (row.partition("|") for row in rows.splitlines())}
