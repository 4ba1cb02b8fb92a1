"""The commands of Deploy/cluster."""

import argparse
import os
import signal
import sys
from pathlib import Path

from testbed import Cluster, ClusterError, Network
from testbed.programs import patroni_programs

ROOT = Path(__file__).resolve().parents[2]
DATA = "/var/lib/consentlink-cluster/data"


def up(arguments):
    """starts what does not run, and prints where it is"""
    public_url = {"public_url": arguments.public_url} if arguments.public_url else {}
    asked = Cluster(
        arguments.data, nodes=arguments.nodes, small=arguments.small, binary=arguments.binary, stays=True, **public_url
    )
    cluster = Cluster.attach(arguments.data) or asked
    if cluster.settings != asked.settings:
        raise ClusterError("it runs with other settings; end it first with: Deploy/cluster down")
    cluster.start()
    if cluster.nodes:
        guide(cluster)


def guide(cluster):
    first = cluster.nodes[0]
    print(f"\nConsentLink runs on {len(cluster.nodes)} node(s). Its data is in {cluster.folder}.\n")
    for node in cluster.nodes:
        print(f"    {node.name}  public {node.public}  private {node.api}")
    for member in cluster.members:
        role = "primary" if member is cluster.primary() else "standby"
        print(f"    {member.name}  PostgreSQL {member.address}:5432  Patroni {member.agent_url}  {role}")
    print(f"""
Paste this into bash of root. Take any node's address:

    API={first.api}/v1/orgs
    ORG=demo-$(date +%s)
    call() {{ curl -sS -H @<(echo "Authorization: Bearer $KEY") -H 'Content-Type: application/json' "$@"; }}
    KEY=$(cat '{first.data}/operator.key')
    KEY=$(call $API -d '{{"id":"'$ORG'","enforcement":"nonRestrictive"}}' | jq -r .key.key)
    TOKEN=$(call $API/$ORG/payloads -d '{{
      "message": {{"name":"spring","title":"Spring","body":"Look","link":"https://shop.example/spring"}},
      "format": "dynamics365", "platform": "ios", "recipients": ["ana@example.com"]}}' |
      jq -r '.payloads[0].payload.data.link | split("/r/")[1]')
    curl -sSi -A 'Mozilla/5.0' {first.public}/r/$TOKEN

Try what happens, in the same folder ({Path.cwd()}):

    Deploy/cluster kill {cluster.primary().name}          the primary's machine loses its power
    Deploy/cluster start {cluster.primary().name}         and comes back
    Deploy/cluster partition {first.name} p1,p2,p3   a node without a database: links lead on
    Deploy/cluster heal
    Deploy/cluster status
    Deploy/cluster down             ends all of it; --delete forgets what was stored
""")


def status(arguments):
    """says who is what, and what is wrong; exit code 3 when it does not run, 1 when it is not healthy"""
    cluster = running(arguments)
    states = cluster.states()
    for host in cluster.network.hosts.values():
        role, state, timeline = states.get(host.name, ("", "", ""))
        described = f"{role} {state}, timeline {timeline}" if role else "runs" if host.processes() else "does not run"
        print(f"{host.name}  {host.address}  {described}")
    problems = cluster.problems()
    print("\n".join(problems) or "healthy")
    return 1 if problems else 0


def down(arguments):
    """ends all processes and removes the namespaces; what was stored stays"""
    cluster = Cluster.attach(arguments.data) or Cluster(arguments.data, stays=True)
    cluster.stop()
    if arguments.delete:
        cluster.remove()


def guard(arguments):
    """waits for the end of standard input, then ends and deletes the cluster"""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.read()
    # When the cluster was stopped in the proper way, its network is gone already.
    if any(network.folder == Path(arguments.data).resolve() for network in Network.registered()):
        Cluster(arguments.data, stays=True).remove()


def running(arguments):
    cluster = Cluster.attach(arguments.data)
    if cluster is None:
        print(f"no cluster runs in {arguments.data}", file=sys.stderr)
        sys.exit(3)
    return cluster


def on_hosts(action):
    """A command that does something to each of the hosts it is given. `action` takes the network and the host."""

    def command(arguments):
        cluster = running(arguments)
        for name in arguments.hosts:
            if name not in cluster.network.hosts:
                raise ClusterError(f"there is no host {name}: {', '.join(cluster.network.hosts)}")
            action(cluster.network, cluster.host(name))

    return command


def partition(arguments):
    """cuts hosts off from others; "client" is this machine"""
    sides = [side.split(",") for side in (arguments.a, arguments.b)]
    running(arguments).network.partition(*sides, one_way=arguments.one_way, reject=arguments.reject)


def psql(arguments):
    """opens psql on a member of PostgreSQL, for the superuser"""
    command = running(arguments).host(arguments.host).psql_command(arguments.database)
    os.chdir("/")
    os.execvp(command[0], command)


def install(_):
    """installs Patroni; nothing when it is there"""
    patroni_programs()


def heal(arguments):
    """ends every fault of the network"""
    running(arguments).network.heal()


def recover(arguments):
    """ends every fault, and waits until all is healthy"""
    cluster = running(arguments)
    cluster.recover()
    cluster.wait_until_healthy()


def switchover(arguments):
    """makes the synchronous standby the primary"""
    print(*running(arguments).switchover())


HOSTS = {
    "kill": (lambda _, host: host.kill_host(), "kill -9 of everything on these hosts, such as p1 n2 e3"),
    "freeze": (lambda _, host: host.freeze_host(), "lets everything on these hosts stand still"),
    "thaw": (lambda _, host: host.thaw_host(), "lets it go on"),
    "start": (lambda _, host: host.start(), "starts what has ended on these hosts"),
    "unplug": (lambda network, host: network.unplug(host), "pulls the cable of these hosts"),
    "plug": (lambda network, host: network.plug(host), "puts it back"),
}


def read():
    parser = argparse.ArgumentParser(prog="Deploy/cluster", description="A highly available ConsentLink.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name, function, text, hidden=False):
        command = commands.add_parser(name, description=text, **({} if hidden else {"help": text}))
        command.add_argument("--data", default=DATA, help=f"folder of the cluster (default: {DATA})")
        command.set_defaults(function=function)
        return command

    command = add("up", up, up.__doc__)
    command.add_argument("--nodes", type=int, default=3, help="how many nodes (default: 3)")
    command.add_argument("--small", action="store_true", help="one member of etcd instead of three")
    command.add_argument("--binary", default=ROOT / ".build/release/consentlink", help="the program of the nodes")
    command.add_argument("--public-url", help="what links begin with")
    add("status", status, status.__doc__)
    add("down", down, down.__doc__).add_argument("--delete", action="store_true", help="delete the folder, too")
    for name, (action, text) in HOSTS.items():
        add(name, on_hosts(action), text).add_argument("hosts", nargs="+", metavar="HOST")
    command = add("partition", partition, partition.__doc__)
    command.add_argument("a", metavar="HOST[,HOST]…")
    command.add_argument("b", metavar="HOST[,HOST]…")
    command.add_argument("--one-way", action="store_true", help="only what the first sends is lost")
    command.add_argument("--reject", action="store_true", help="the sender is told")
    command = add("psql", psql, psql.__doc__)
    command.add_argument("host", metavar="HOST")
    command.add_argument("database", nargs="?", default="consentlink")
    add("install", install, install.__doc__)
    add("heal", heal, heal.__doc__)
    add("recover", recover, recover.__doc__)
    add("switchover", switchover, switchover.__doc__)
    add("guard", guard, guard.__doc__, hidden=True)
    return parser.parse_args()


def main():
    arguments = read()
    try:
        return arguments.function(arguments)
    except (ClusterError, AssertionError, RuntimeError) as problem:
        print(f"cluster: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
