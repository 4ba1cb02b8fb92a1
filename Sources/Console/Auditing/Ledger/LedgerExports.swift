import Identifiers
import Synchronization

/// The organizations whose ledgers this process is exporting: one export of each at a time, since an export reads
/// everything.
final class LedgerExports: Sendable {
    private struct State {
        /// The number of each organization's current export.
        var underWay: [OrganizationID: UInt64] = [:]
        var count: UInt64 = 0
    }

    /// Guards the current exports; held for one look-up or change.
    private let state = Mutex(State())

    /// - Returns: `nil` while another export of the organization is in progress.
    func begin(of organization: OrganizationID) -> LedgerExport? {
        let number: UInt64? = state.withLock { state in
            guard state.underWay[organization] == nil else { return nil }
            state.count += 1
            state.underWay[organization] = state.count
            return state.count
        }
        return number.map { LedgerExport(of: organization, number: $0, in: self) }
    }

    fileprivate func end(of organization: OrganizationID, number: UInt64) {
        state.withLock { state in
            if state.underWay[organization] == number { state.underWay[organization] = nil }
        }
    }
}

/// An export in progress, until ``end()`` or until it is released: a browser may disconnect before it is sent.
final class LedgerExport: Sendable {
    private let organization: OrganizationID
    private let number: UInt64
    private let exports: LedgerExports

    fileprivate init(of organization: OrganizationID, number: UInt64, in exports: LedgerExports) {
        self.organization = organization
        self.number = number
        self.exports = exports
    }

    /// May be called more than once.
    func end() { exports.end(of: organization, number: number) }

    deinit { end() }
}
