package import Cryptography
import Identifiers
import Synchronization

/// Seals the state of a ledger where several processes write, so that a node tells what nodes have entered from what
/// was written into the database without them.
///
/// A seal is an HMAC-SHA-256 over the organization's id, a zero byte, the size of the tree (eight bytes, network byte
/// order) and the hashes of its frontier. Its key is derived from `erasure.key`, which all nodes have and no database.
/// Every node seals what it enters. Whether a missing seal closes a ledger is another question (``areDemanded``): a
/// node of an earlier version seals nothing.
package final class LedgerSeals: Sendable {
    static let info = Array("consentlink/ledger-seal/1".utf8)

    /// Guards the key's state, which one thread at a time may use; held for one tag.
    private let key: Mutex<HMACSHA256>
    private let demand = Atomic(false)

    /// - Parameter erasureKey: 32 bytes, the same for all nodes.
    package init(erasureKey: SecretBytes) throws {
        key = Mutex(try HMACSHA256(key: HKDF.derive(from: erasureKey, info: Self.info)))
    }

    /// Whether a state without a seal that fits closes its ledger. A caller that reads a state asks before the snapshot
    /// begins: states that are older than the demand may have no seal.
    package var areDemanded: Bool { demand.load(ordering: .acquiring) }

    /// Cannot be undone in this process.
    package func demandAll() { demand.store(true, ordering: .releasing) }

    /// - Parameters:
    ///   - size: the number of entries in the tree.
    ///   - hashes: those of the frontier, from the leaves up.
    func seal(of size: UInt64, _ hashes: [UInt8], in organization: OrganizationID) -> [UInt8] {
        var input = Array(organization.description.utf8) + [0]
        withUnsafeBytes(of: size.bigEndian) { input.append(contentsOf: $0) }
        input.append(contentsOf: hashes)
        return key.withLock { key in
            let tag = key.tag(of: input.span)
            return (0..<HMACSHA256.tagLength).map { tag[$0] }
        }
    }

    /// Whether a seal was made for this state.
    func isSeal(_ seal: [UInt8], of size: UInt64, _ hashes: [UInt8], in organization: OrganizationID) -> Bool {
        constantTimeEqual(seal, self.seal(of: size, hashes, in: organization))
    }
}
