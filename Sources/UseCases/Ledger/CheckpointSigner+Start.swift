package import Identifiers
import Ledger
import Logging
import Synchronization
import Waiting

extension CheckpointSigner {
    /// Compares every ledger with its last checkpoint, and signs what was not signed when the last process ended. A
    /// ledger that departs is closed; the rest of the service continues.
    ///
    /// - Parameters:
    ///   - sizes: the sizes of the ledgers before this process entered anything; all of them have begun.
    ///   - isNew: whether the folder cannot have any checkpoint yet, even if other nodes have signed.
    ///   - whole: the sizes of the ledgers that were signed as a whole when the last process ended, from
    ///     ``wholeLedgers()``. Empty if that is not known.
    ///   - check: is called before anything is signed, and may close ledgers.
    /// - Returns: whether every checkpoint could be read and is signed with this key.
    /// - Throws: the errors of `check`, and `CancellationError`.
    package func begin(
        _ sizes: [OrganizationID: UInt64], isNew: Bool = false, whole: [OrganizationID: UInt64] = [:],
        check: @Sendable () async throws -> Void
    ) async throws -> Bool {
        // First, because its findings are more exact than that a tree departs from its checkpoint.
        try await check()
        try Task.checkCancellation()
        let missing = try await missingCheckpoints(of: sizes.keys, isNew: isNew)
        let unverified = try await ledgers(of: sizes.keys) { try await !self.isVerified($0) }
        // Growth up to here is signed below; later growth is signalled.
        _ = store.drainGrown()
        _ = try await ledgers(of: sizes.keys) { organization in
            try await self.signUnsigned(
                organization, size: sizes[organization] ?? 0, whole: whole[organization],
                isMissing: missing.contains(organization))
        }
        try await rememberCheckpoints(of: sizes.keys)
        return unverified.isEmpty
    }

    /// Compares a ledger with its checkpoints.
    /// - Returns: whether they could be read and are signed with this key.
    private func isVerified(_ organization: OrganizationID) async throws -> Bool {
        // If the ledger was closed for another reason before, that reason stays.
        let isHeld = try await attempting(organization) { _ = try await attempt(.holding, organization) }
        return isHeld || !unverifiable.contains(organization) && reason(for: organization) != nil
    }

    /// Signs what was not signed when the last process ended.
    /// - Parameter isMissing: whether the checkpoint that the database has is to be written into the archive.
    /// - Returns: whether the ledger is signed.
    private func signUnsigned(
        _ organization: OrganizationID, size: UInt64, whole: UInt64?, isMissing: Bool
    ) async throws -> Bool {
        try await attempting(organization, isRetried: true) {
            try checkForUnsigned(organization, size: size, whole: whole)
            let signed = try await checkpoint(of: organization)
            if isMissing { try await archive.write(signed.bytes, of: organization) }
        }
    }

    /// If other nodes sign, too, the next start must know which ledgers have a checkpoint here.
    private func rememberCheckpoints(of organizations: some Collection<OrganizationID>) async throws {
        guard store.isShared else { return }
        try await attempting {
            let present = try await ledgers(of: organizations) { try await self.archive.read(of: $0) != nil }
            try await archive.remember(present)
        }
    }

    /// The ledgers whose entries must have been signed and which have no checkpoint in the folder. For them, the
    /// checkpoint in the database is used. It proves less, because an attacker who can change the ledger in the
    /// database can change it, too.
    private func missingCheckpoints(
        of organizations: some Collection<OrganizationID>, isNew: Bool
    ) async throws -> Set<OrganizationID> {
        let missing = try await ledgers(of: organizations) { try await self.isCheckpointMissing($0) }
        // A new node has none yet.
        for organization in isNew ? [] : missing {
            record.withLock { $0.countMissing() }
            logger.warning(
                "a ledger with entries has no checkpoint in the folder: it was moved away or lost",
                metadata: ["organization": "\(organization)"])
        }
        return missing
    }

    private func isCheckpointMissing(_ organization: OrganizationID) async throws -> Bool {
        var isMissing = false
        try await attempting(organization) { isMissing = try await isWithoutCheckpoint(organization) }
        return isMissing
    }

    private func isWithoutCheckpoint(_ organization: OrganizationID) async throws -> Bool {
        guard try await archive.read(of: organization) == nil else { return false }
        // If a ledger began while this node was off, or this node never signed it, only other nodes have its
        // checkpoint.
        if store.isShared, try await !archive.mayHaveHad(organization) { return false }
        // A ledger that has just begun has one entry.
        var isSigned = try await store.checkpoint(of: organization) != nil
        if !isSigned { isSigned = try await store.head(of: organization).map { $0.head.size > 1 } ?? false }
        return isSigned
    }

    /// - Parameters:
    ///   - organization: the one whose ledger `body` is about; `nil` for all.
    ///   - isRetried: whether the ledger is tried again in a second if `body` fails.
    /// - Returns: whether `body` succeeded. A closed ledger was reported already; other errors are logged.
    /// - Throws: `CancellationError` if the service is asked to end.
    @discardableResult
    private func attempting(
        _ organization: OrganizationID? = nil, isRetried: Bool = false, _ body: () async throws -> Void
    ) async throws -> Bool {
        do {
            try await body()
            return true
        } catch is LedgerInconsistency {
            return false
        } catch {
            // An interrupted statement throws an error of its own.
            try Task.checkCancellation()
            var metadata: Logger.Metadata = ["error": "\(error)"]
            if let organization { metadata["organization"] = "\(organization)" }
            logger.error("a ledger cannot be signed", metadata: metadata)
            if let organization, isRetried {
                record.withLock { $0.recordUnsigned(organization, because: error) }
                grew()
            }
            return false
        }
    }

    /// Asks about each of some ledgers, about ``maximumAtOnce`` of them at the same time: for the most part an answer
    /// waits for threads that read the database and the archive.
    ///
    /// - Returns: the ledgers for which `condition` holds.
    /// - Throws: what one of the calls throws; then the others are cancelled.
    private func ledgers(
        of organizations: some Collection<OrganizationID>,
        where condition: @escaping @Sendable (OrganizationID) async throws -> Bool
    ) async throws -> Set<OrganizationID> {
        try await withThrowingTaskGroup(of: OrganizationID?.self) { group in
            var found: Set<OrganizationID> = []
            for (count, organization) in organizations.enumerated() {
                if count >= Self.maximumAtOnce, let one = try await group.next() ?? nil { found.insert(one) }
                group.addTask { try await condition(organization) ? organization : nil }
            }
            for try await case let one? in group { found.insert(one) }
            return found
        }
    }
}
