import Identifiers
import Ledger
import Logging
import Redirect
import ServiceLifecycle
import StoragePorts
import UseCases

/// The ledgers: they are signed as they grow, and decisions' sources are checked against them.
struct LedgerParts {
    let signer: CheckpointSigner
    let checker: LedgerChecker
    let proofs: LedgerProofs
    private let ledgers: any CheckpointStore
    /// Whether other nodes append to the ledgers, too.
    private let isShared: Bool
    /// Whether nothing can be checked, appended or signed now.
    private let isUnavailable: Bool
    /// Opened when links redirect: the ledgers are checked after that.
    let linksOpen: Latch
    private let signingNote: SigningNote
    /// The organizations that there were at the start.
    private let organizations: Set<OrganizationID>
    private let logger: Logger

    /// Compares settings and enforcement with the ledgers; the rest is compared once links redirect. A ledger that
    /// differs is closed.
    init(folder: borrowing DataFolder, stored: StorageParts, logger: Logger) async throws {
        let ledgers = stored.ledgers
        self.logger = logger
        var archive = try folder.checkpointFiles()
        archive.watch = stored.watch
        let signer = CheckpointSigner(
            store: ledgers, seed: try folder.ledgerKey(), archive: archive, logger: logger)
        ledgers.onInconsistency { [rules = stored.memory.recordingRules] reason in
            rules.rules(of: reason.organization).close()
            reason.log(to: logger)
        }
        let begun = stored.isUnavailable ? [] : try await ledgers.begin(at: stored.now())
        let sizes = await Self.sizes(of: begun, ledgers)
        // On a server other nodes append, too.
        let whole = stored.isOnServer || stored.isUnavailable ? [:] : folder.signed.sizes
        if stored.isCopy || whole.contains(where: { sizes[$0.key, default: 0] < $0.value }) { signer.warnOfCopy() }
        // In a copy, the database may be of another moment than its note.
        let appended =
            stored.isOnServer || stored.isCopy ? [:] : await Self.appended(to: whole, sizes, folder, archive, ledgers)
        // Before links are open: from then on a withdrawal on its page is appended.
        signingNote = SigningNote(in: folder.path)
        try signingNote.write(closed: appended)
        let (linksOpen, fingerprints) = (Latch(), FingerprintNote(path: folder.path))
        let bounds = LedgerChecker.Bounds(entriesAtStart: stored.isOnServer ? 10_000 : 100_000)
        let checker = LedgerChecker(
            ledgers: ledgers, bounds: bounds, now: stored.now, isEnding: stored.isEnding, logger: logger
        ) { [sizes, isNew = folder.isNew] checker in
            // The check may take minutes, and readers of links do not wait for it.
            guard await linksOpen.wait() else { throw CancellationError() }
            // Logged only with the first attempt: after a failed one there is a reason.
            if checker.reasonNotReady == nil {
                logger.info("links redirect; the rest of the service waits for the check of the ledgers")
            }
            let isVerified = try await signer.begin(sizes, isNew: isNew, whole: appended) {
                try await checker.checkAtStart()
            }
            // A key that did not sign a checkpoint may be a foreign one: if it were noted, the right one would be
            // refused.
            guard isVerified else { return }
            do { try fingerprints.write() } catch { logger.warning("the fingerprints of the keys cannot be noted") }
        }
        if !stored.isUnavailable { try await checker.checkSettings() }
        Self.hold(signer, to: stored, logger)
        (isShared, isUnavailable, organizations) = (stored.shared != nil, stored.isUnavailable, Set(sizes.keys))
        self.ledgers = ledgers
        self.signer = signer
        self.linksOpen = linksOpen
        self.checker = checker
        proofs = LedgerProofs(ledgers: ledgers, signer: signer)
    }

    /// Compares the ledgers with their checkpoints again when the node finds another history in the database, before it
    /// judges by that: entries that were acknowledged since may be missing.
    private static func hold(_ signer: CheckpointSigner, to stored: StorageParts, _ logger: Logger) {
        stored.memory.follower.onOtherHistory {
            logger.critical(
                """
                the database is not the one that this node followed: an earlier state was restored, or another \
                database took its place. It does not have the writes that were acknowledged since, and ledgers that do \
                not continue their checkpoints are closed
                """)
        } follow: { [ring = stored.sharedRing] in
            try await ring?.merge()
            try await signer.holdAll()
        }
    }

    /// How many ledgers are read at the same time: readers of links wait, and for each ledger a thread is waited for.
    private static let readAtOnce = 16

    /// How many entries each ledger has; 0 if that cannot be read, which the check of the ledgers names.
    private static func sizes(
        of organizations: [OrganizationID], _ ledgers: any CheckpointStore
    ) async -> [OrganizationID: UInt64] {
        await withTaskGroup(of: (OrganizationID, UInt64).self) { group in
            var sizes: [OrganizationID: UInt64] = [:]
            for (count, organization) in organizations.enumerated() {
                if count >= readAtOnce, let (read, size) = await group.next() { sizes[read] = size }
                group.addTask { (organization, (try? await ledgers.head(of: organization)?.head.size) ?? 0) }
            }
            for await (read, size) in group { sizes[read] = size }
            return sizes
        }
    }

    /// - Parameter whole: how many entries the last process made in each ledger.
    /// - Returns: those of them that have more now, or that it did not make.
    private static func appended(
        to whole: [OrganizationID: UInt64], _ sizes: [OrganizationID: UInt64], _ folder: borrowing DataFolder,
        _ archive: CheckpointFiles, _ ledgers: any CheckpointStore
    ) async -> [OrganizationID: UInt64] {
        let inserted = await closeInserted(sizes, folder, archive, ledgers)
        return whole.filter { sizes[$0.key, default: 0] > $0.value }.merging(inserted) { $1 }
    }

    /// Closes the ledgers of organizations that the service did not make: the last process ended in an orderly way and
    /// did not know them, and they have no checkpoint.
    ///
    /// - Returns: 0 for each of them, which is how many entries the service made.
    private static func closeInserted(
        _ sizes: [OrganizationID: UInt64], _ folder: borrowing DataFolder, _ archive: CheckpointFiles,
        _ ledgers: any CheckpointStore
    ) async -> [OrganizationID: UInt64] {
        var inserted: [OrganizationID: UInt64] = [:]
        for organization in sizes.keys {
            let isKnown = folder.signed.organizations?.contains(organization) ?? true
            guard !isKnown || folder.signed.sizes[organization] == 0 else { continue }
            // A checkpoint says more exactly what differs. If it cannot be read, the signer says so.
            do { guard try await archive.read(of: organization) == nil else { continue } } catch { continue }
            inserted[organization] = 0
            let last = max(sizes[organization, default: 0], 1) - 1
            ledgers.close(because: LedgerInconsistency(organization, .appended(0...last)))
        }
        return inserted
    }

    /// Signs the entries that no node has signed yet.
    /// - Returns: a function to call once the storage is closed: it notes which ledgers are completely signed. It throws
    ///   if the last entries could not be signed, or that could not be noted, unless only space was lacking.
    func finish() async -> () throws -> Void {
        let unsigned = await signer.finish()
        if let unsigned {
            logger.error(
                "the last entries of the ledgers are not signed: the next start signs them",
                metadata: ["error": "\(unsigned)"])
        }
        // Other nodes sign what this one cannot, but its files are its own.
        guard !isShared else {
            return { try Self.requireOrderly(unsigned as? CheckpointArchiveFailure) }
        }
        let signed: (whole: [OrganizationID: UInt64], others: Set<OrganizationID>)
        do {
            signed = try await signer.wholeLedgers()
        } catch {
            logNotNoted(error)
            return {
                try Self.requireOrderly(error)
                try Self.requireOrderly(unsigned)
            }
        }
        return {
            do {
                try noteSigned(signed.whole, others: signed.others)
            } catch {
                logNotNoted(error)
                try Self.requireOrderly(error)
            }
            try Self.requireOrderly(unsigned)
        }
    }

    private func noteSigned(_ signed: [OrganizationID: UInt64], others: Set<OrganizationID>) throws {
        let grown = ledgers.drainGrown()
        let whole = signed.filter { !grown.contains($0.key) }
        var closed: [OrganizationID: UInt64] = [:]
        for reason in ledgers.inconsistencies {
            if case .appended(let entries) = reason.finding { closed[reason.organization] = entries.lowerBound }
        }
        try signingNote.write(
            whole: whole, closed: closed,
            others: organizations.union(others).union(grown).subtracting(whole.keys))
    }

    private func logNotNoted(_ error: any Error) {
        logger.error(
            """
            it cannot be noted that the ledgers are signed: the next start takes entries that are appended meanwhile \
            for the service's own
            """, metadata: ["error": "\(error)"])
    }

    /// - Throws: a failure that does not pass by itself, as a lack of space does.
    private static func requireOrderly(_ failure: (any Error)?) throws {
        guard let failure, (failure as? any StoreFailure)?.isTransient != true else { return }
        throw failure
    }

    var services: [any Service] {
        guard !isUnavailable else { return [] }
        let abandoned = isShared ? [waiting(AbandonedLedgers(ledgers: ledgers, logger: logger))] : []
        return [waiting(SignerService(signer: signer)), checker] + abandoned
    }

    /// `service`, started once the ledgers are checked, because it uses them to judge or appends to them. If they
    /// cannot be checked now, it waits for ever.
    func waiting(_ service: any Service) -> any Service {
        AfterStartCheck(checked: checker.checked, service: service)
    }

    /// The private listener, started once the ledgers are checked, or when they cannot be, so that it can say so.
    func opening(_ listener: any Service) -> any Service {
        isUnavailable ? listener : AfterStartCheck(checked: checker.answerable, service: listener)
    }
}
