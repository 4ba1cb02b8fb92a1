# The poll does not wait for the standby, as one that only reads.
/= try RuleChangeRow\.page(/i\            try connection.statement("SET LOCAL synchronous_commit = local").run()
