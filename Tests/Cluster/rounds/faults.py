"""The faults, one a round. Each takes the rounds' world; `recover` of the cluster ends what it has left.

`world.node` is the node that it happens to; a freeze lasts as long as `world.long` says."""

import time


def cut(world, a, b, **how):
    """Packets are lost, or the senders are told that their connections have ended."""
    world.cluster.network.partition(a, b, reject=world.chance.random() < 0.3, **how)


def wait(world, least, most):
    time.sleep(world.chance.uniform(least, most))


# MARK: nodes


def kill_node(world):
    world.node.kill()
    wait(world, 0, 2)
    world.node.start()


def stop_node(world):
    world.node.restart()


def freeze_node(world):
    world.node.freeze()
    time.sleep(world.long(0.5, 8))
    world.node.thaw()


def halt_nodes_for_moments(world):
    """Shorter and longer than a node is fresh for."""
    for _ in range(12):
        node = world.chance.choice(world.cluster.nodes)
        node.freeze()
        wait(world, 0.02, 1.6)
        node.thaw()
        wait(world, 0, 0.3)


def step_clock(world):
    """By two seconds in both directions; the node also starts with a wrong one."""
    name = world.chance.choice(sorted(world.cluster.clocks))
    clock, node = world.cluster.clocks[name], world.cluster.host(name)
    for step in world.chance.sample([2000, -2000, 1000, -1000, 300, -300], 4):
        clock.set(step)
        wait(world, 0.3, 1.2)
    clock.set(world.chance.choice([2000, -2000]))
    node.restart()
    wait(world, 0.5, 1)
    clock.set(0)


def fill_disk_of_node(world):
    node = world.cluster.host(world.small_disk)
    world.forgets(node)
    world.cluster.disks[node.name].fill()
    wait(world, 3, 6)
    world.cluster.disks[node.name].free()


def upgrade_nodes(world):
    """One after the other; to the same version where CLUSTER_BINARY_BEFORE names no other."""
    for node in world.cluster.nodes:
        world.cluster.replace(node, world.binary)


# MARK: between nodes and the database


def cut_node_off(world):
    cut(world, world.node, world.cluster.members)
    wait(world, 1, 6)


def cut_node_off_one_way(world):
    sides = [[world.node], world.cluster.members]
    world.chance.shuffle(sides)
    cut(world, *sides, one_way=True)
    wait(world, 1, 6)


def cut_nodes_apart(world):
    cut(world, world.node, [node for node in world.cluster.nodes if node is not world.node])
    wait(world, 1, 4)


def lose_packets(world):
    primary = world.cluster.wait_for_primary()
    world.cluster.network.lose(world.node, primary, 5)
    world.cluster.network.lose(primary, [member for member in world.cluster.members if member is not primary], 3)
    wait(world, 3, 5)


def delay_packets(world):
    """Between a node and the servers, and between the servers."""
    cluster, primary = world.cluster, world.cluster.wait_for_primary()
    cluster.network.delay(world.node, cluster.members, world.chance.choice([5, 20, 80]), port=5432)
    for member in cluster.members:
        if member is not primary:
            cluster.network.delay(member, primary, world.chance.choice([1, 5, 20]), port=5432)
    cluster.network.slow(primary, "100mbit")
    wait(world, 3, 5)


# MARK: the database


def kill_primary(world):
    world.cluster.wait_for_primary().kill_server()


def kill_backend(world):
    """kill -9 of the processes that serve connections; the server ends all others, and starts again."""
    primary = world.cluster.wait_for_primary()
    primary.signal(9, primary.server_processes()[-1:])
    wait(world, 0.5, 2)


def kill_primary_host(world):
    """Its power is gone: no other host is told that its connections have ended."""
    member = world.cluster.wait_for_primary()
    world.cluster.network.unplug(member)
    member.kill_host()
    world.cluster.wait_for_primary(60, other_than=member)


def freeze_primary(world):
    member = world.cluster.wait_for_primary()
    member.freeze_host()
    time.sleep(world.long(2, 26))
    member.thaw_host()


def freeze_agent(world):
    member = world.cluster.wait_for_primary()
    member.freeze_agent()
    time.sleep(world.long(4, 28))
    member.thaw_agent()


def freeze_etcd(world):
    """One member, or all of them."""
    frozen = world.cluster.etcd[: world.chance.choice([1, 3])]
    for member in frozen:
        member.freeze()
    time.sleep(world.long(2, 10))
    for member in frozen:
        member.thaw()


def cut_primary_off(world):
    """From the other servers and from etcd, and not from the nodes: it runs on until it notices."""
    primary = world.cluster.wait_for_primary()
    cut(world, primary, [member for member in world.cluster.members if member is not primary] + world.cluster.etcd)
    wait(world, 2, 24)


def cut_standby_off_one_way(world):
    standby = world.cluster.synchronous_standby() or world.cluster.members[0]
    others = [member for member in world.cluster.members if member is not standby]
    sides = [[standby], others]
    world.chance.shuffle(sides)
    cut(world, *sides, one_way=True)
    wait(world, 2, 8)


def keep_old_primary(world):
    """Another server takes over, while a node reaches the old one alone, whose agent stands still."""
    old = world.cluster.wait_for_primary()
    old.freeze_agent()
    cut(world, world.node, [member for member in world.cluster.members if member is not old])
    world.cluster.wait_for_primary(60, other_than=old)
    wait(world, 2, 4)
    old.thaw_agent()


def switch_over(world):
    world.cluster.switchover()


def stop_database(world):
    """All servers lose their power. A node ends meanwhile and is started again: it redirects."""
    for member in world.cluster.members:
        member.kill_host()
    wait(world, 2, 8)
    world.node.kill()
    world.node.launch_service()
    deadline = time.monotonic() + 30
    while not world.node.is_ready_for_links:
        assert time.monotonic() < deadline, f"{world.node.name} does not redirect without the database"
        time.sleep(0.1)
    wait(world, 1, 5)


def fill_disk_of_primary(world):
    primary = world.cluster.wait_for_primary()
    world.cluster.disks[primary.name].fill()
    wait(world, 5, 10)
    world.cluster.disks[primary.name].free()


def cancel_commits(world):
    """Commits wait, for the standby stands still, and an operator cancels them."""
    primary, standby = world.cluster.wait_for_primary(), world.cluster.synchronous_standby()
    for _ in range(3):
        if standby:
            standby.freeze_host()
        for _ in range(8):
            world.cancelled += world.cluster.cancel_waiting_commits(primary)
            time.sleep(0.05)
        if standby:
            standby.thaw_host()
        time.sleep(0.3)


FAULTS = [
    upgrade_nodes, kill_node, kill_primary, cut_node_off, switch_over, freeze_node, kill_primary_host, stop_node,
    freeze_agent, cut_node_off_one_way, freeze_primary, lose_packets, cancel_commits, stop_database, step_clock,
    keep_old_primary, halt_nodes_for_moments, fill_disk_of_node, cut_primary_off, delay_packets, kill_backend,
    freeze_etcd, cut_nodes_apart, fill_disk_of_primary, cut_standby_off_one_way,
]  # fmt: skip
