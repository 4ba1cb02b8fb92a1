import Identifiers
import Ledger
import Logging
import Redirect
import ServiceLifecycle
import UseCases

/// The ledgers: signed as they grow, and held to what decisions are derived from.
struct LedgerParts {
    let signer: CheckpointSigner
    let checker: LedgerChecker
    let proofs: LedgerProofs
    private let ledgers: any CheckpointStore
    /// Whether other nodes enter into the ledgers, too.
    private let isShared: Bool
    /// Whether there is nothing to check, to enter into or to sign now.
    private let isAbsent: Bool
    /// To be opened when links redirect: the ledgers are checked after that.
    let linksOpen: Latch
    private let signingNote: SigningNote

    /// Compares settings and enforcement with the ledgers; everything else is compared once links redirect. A ledger that
    /// departs is closed.
    init(folder: borrowing DataFolder, stored: StorageParts, logger: Logger) async throws {
        let ledgers = stored.ledgers
        var archive = try folder.checkpointFiles()
        archive.watch = stored.watch
        let signer = CheckpointSigner(
            store: ledgers, seed: try folder.ledgerKey(), archive: archive, logger: logger)
        if stored.isCopy { signer.warnOfCopy() }
        ledgers.onInconsistency { [rules = stored.memory.recordingRules] reason in
            rules.rules(of: reason.organization).close()
            reason.log(to: logger)
        }
        var sizes: [OrganizationID: UInt64] = [:]
        for organization in stored.isAbsent ? [] : try await ledgers.begin(at: stored.now()) {
            sizes[organization] = (try? await ledgers.head(of: organization)?.head.size) ?? 0
        }
        // On a server other nodes enter, too. A copy may have got its database from another moment than its note.
        let isOne = !stored.isOnServer && !stored.isCopy
        let appended = isOne ? folder.wholeLedgers.filter { sizes[$0.key, default: 0] > $0.value } : [:]
        // Before links are open: a withdrawal on its page is entered from then on.
        signingNote = SigningNote(in: folder.path)
        try signingNote.write(closed: appended)
        let (linksOpen, fingerprints) = (Latch(), FingerprintNote(path: folder.path))
        let bounds = LedgerChecker.Bounds(entriesAtStart: stored.isOnServer ? 10_000 : 100_000)
        let checker = LedgerChecker(
            ledgers: ledgers, bounds: bounds, now: stored.now, logger: logger
        ) { [sizes, isNew = folder.isNew] checker in
            // Readers first.
            guard await linksOpen.wait() else { throw CancellationError() }
            logger.info("links redirect; the ledgers are checked before anything else")
            let isVerified = try await signer.begin(sizes, isNew: isNew, whole: appended) {
                try await checker.checkAtStart()
            }
            // A key that did not sign a checkpoint may be a foreign one: noted, it would have the right one refused.
            guard isVerified else { return }
            do { try fingerprints.write() } catch { logger.warning("the fingerprints of the keys cannot be noted") }
        }
        if !stored.isAbsent { try await checker.checkSettings() }
        // Before the node judges by it: what was acknowledged since may be missing.
        stored.memory.follower.onOtherHistory {
            logger.critical(
                """
                the database is not the one that this node followed: an earlier state was put back, or another one put in \
                its place. What was acknowledged since is missing from it, and ledgers that do not continue their \
                checkpoints are closed
                """)
            try await signer.holdAll()
        }
        (isShared, isAbsent) = (stored.shared != nil, stored.isAbsent)
        self.ledgers = ledgers
        self.signer = signer
        self.linksOpen = linksOpen
        self.checker = checker
        proofs = LedgerProofs(ledgers: ledgers, signer: signer)
    }

    /// Signs what nobody has signed yet.
    /// - Returns: what must be called once the storage is closed: notes of which ledgers everything is signed.
    func finish() async -> () -> Void {
        await signer.finish()
        guard !isShared, let whole = try? await signer.wholeLedgers() else { return {} }
        return { [ledgers, signingNote] in
            let grown = ledgers.takeGrown()
            var closed: [OrganizationID: UInt64] = [:]
            for reason in ledgers.inconsistencies {
                if case .appended(let entries) = reason.finding { closed[reason.organization] = entries.lowerBound }
            }
            // Without it the next start cannot tell what was appended meanwhile.
            try? signingNote.write(whole: whole.filter { !grown.contains($0.key) }, closed: closed)
        }
    }

    var services: [any Service] {
        guard !isAbsent else { return [] }
        let abandoned = isShared ? [waiting(AbandonedLedgers(ledgers: ledgers))] : []
        return [waiting(SignerService(signer: signer)), checker] + abandoned
    }

    /// `service`, begun once the ledgers are checked: it judges by them or enters into them.
    /// Where they cannot be checked now, it waits for ever.
    func waiting(_ service: any Service) -> any Service {
        AfterStartCheck(checked: checker.checked, service: service)
    }

    /// The private listener, begun once the ledgers are checked; at once where they cannot be, to say so.
    func opening(_ listener: any Service) -> any Service { isAbsent ? listener : waiting(listener) }
}
