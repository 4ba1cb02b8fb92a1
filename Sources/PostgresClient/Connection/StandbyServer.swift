/// A server that takes no writes, and may take over.
package struct StandbyServer: Hashable, Sendable {
    package let host: PostgresLocation.Host
    /// Its setting `synchronous_standby_names`, which applies after it has taken over.
    package let synchronousNames: String
}
