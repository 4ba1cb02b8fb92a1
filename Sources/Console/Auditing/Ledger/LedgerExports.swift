import Identifiers
import Synchronization

/// Which organizations' ledgers are being exported by this process: one export of each at once, since it reads all that
/// there is.
final class LedgerExports: Sendable {
    private struct State {
        /// By organization, the number of its export.
        var underWay: [OrganizationID: UInt64] = [:]
        var count: UInt64 = 0
    }

    /// Guards what is under way; held for one look-up or change.
    private let state = Mutex(State())

    /// - Returns: `nil` while another export of the organization is under way.
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

/// An export that is under way until ``end()``, or until nothing has it any more: a browser may go before it is sent.
final class LedgerExport: Sendable {
    private let organization: OrganizationID
    private let number: UInt64
    private let exports: LedgerExports

    fileprivate init(of organization: OrganizationID, number: UInt64, in exports: LedgerExports) {
        self.organization = organization
        self.number = number
        self.exports = exports
    }

    /// May be called again.
    func end() { exports.end(of: organization, number: number) }

    deinit { end() }
}
