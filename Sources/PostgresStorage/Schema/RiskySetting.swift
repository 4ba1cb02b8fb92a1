/// A setting for repairs and for replication, with which the server drops or alters rows, or accepts wrong ones, and
/// reports no error.
struct RiskySetting: Hashable, Sendable {
    /// Of the server; a new value needs a restart.
    static let ofServer = [
        RiskySetting(
            name: "data_sync_retry", needed: "off",
            effect: "after a failed sync the server goes on as if the data were on the disk")
    ]
    /// A role, a database and a session can have values of their own.
    static let ofSession = [
        RiskySetting(
            name: "zero_damaged_pages", needed: "off",
            effect: "the rows of a damaged page are lost without an error"),
        RiskySetting(
            name: "ignore_checksum_failure", needed: "off",
            effect: "the rows of a damaged page are taken for right"),
        RiskySetting(
            name: "ignore_system_indexes", needed: "off",
            effect: "the server does not trust the indexes of its own tables, which are to be repaired"),
        RiskySetting(
            name: "session_replication_role", needed: "origin", effect: "foreign keys are not checked"),
    ]

    let name: String
    let needed: String
    let effect: String

    /// - Parameter values: the present values by name.
    static func findings(_ settings: [RiskySetting], _ values: [String: String]) -> [DatabaseFinding] {
        settings.filter { values[$0.name] != $0.needed }
            .map { .risky(setting: $0.name, value: values[$0.name] ?? "unknown", needed: $0.needed, effect: $0.effect) }
    }

    /// How a setting is put right.
    static func remedy(_ name: String, _ needed: String) -> String {
        let change = "As a superuser: ALTER SYSTEM SET \(name) = \(needed)"
        guard !ofServer.contains(where: { $0.name == name }) else { return "\(change); then restart the server" }
        return """
            \(change); then: SELECT pg_reload_conf(). Where the role or the database has it: ALTER ROLE … RESET \(name), \
            ALTER DATABASE … RESET \(name)
            """
    }
}
