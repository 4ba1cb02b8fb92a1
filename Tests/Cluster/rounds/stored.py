"""What the database has, read on the primary."""

import subprocess
from array import array


class Stored:
    def __init__(self, cluster, org):
        self._cluster = cluster
        self._number = int(self._one(f"SELECT number FROM organizations WHERE id = '{org.id}'"))

    def _one(self, sql):
        return self._cluster.wait_for_primary().psql(sql, database="consentlink", timeout=300).strip()

    def count(self, sql):
        """A number. `{org}` stands for the organization."""
        return int(self._one(sql.format(org=self._number)) or 0)

    def ids(self, table, after=0):
        """Those of all rows of the organization, in ascending order."""
        primary = self._cluster.wait_for_primary()
        rows = f"SELECT id FROM {table} WHERE organization = {self._number} AND id > {after} ORDER BY id"
        command = [*primary.psql_command("consentlink"), "-XAtqc", f"COPY ({rows}) TO STDOUT"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd="/", env={"PATH": "/usr/bin:/bin"}) as copy:
            found = array("q", map(int, copy.stdout))
        assert copy.returncode == 0, f"psql has failed: {copy.returncode}"
        return found

    def leaves(self):
        """How many entries of decisions the ledger has."""
        return self.count("SELECT sum(count) FROM ledger_runs WHERE organization = {org} AND kind = 1")
