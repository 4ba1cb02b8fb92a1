import Identifiers
import Ledger

/// The steps of comparing a ledger with its checkpoints and of signing it, as a value. It gets the stored checkpoints
/// and the state of the ledger from its driver; it reads no store, writes no file and closes no ledger.
///
/// One value serves one attempt. A failure to read or write ends the attempt: the driver throws, and a later attempt
/// begins again with ``newest``.
struct CheckpointStateMachine {
    enum Purpose {
        /// Compare the ledger with the checkpoints there are, and sign nothing.
        case holding
        case signing
    }

    enum Action: Equatable {
        /// Read the signed notes in the archive and in the store, then call ``found(archived:kept:)``.
        case readNotes
        /// Compare the ledger's rows with a head that was signed before, then call ``compared(_:)``.
        case compare(TreeHead)
        /// Read the present head of the ledger, then call ``found(head:isSealed:)``.
        case readHead
        /// Seal the ledger, whose head this is, then call ``sealed()``.
        case seal(TreeHead)
        /// Ask for a proof that the later tree begins with the earlier one, then call ``proved(_:)``.
        case prove(from: TreeHead, to: TreeHead)
        /// Write it to the archive, which survives the loss of the store, then call ``archived()``.
        case archive(SignedCheckpoint)
        /// Replace the checkpoint over `after` in the store by this one, then call ``kept()``; call ``moved()`` if the
        /// store has another one.
        case keep(SignedCheckpoint, after: TreeHead?)
        /// Close the ledger for this reason. No action follows.
        case close(LedgerInconsistency)
        case end(Ending)
    }

    enum Ending: Equatable {
        /// The ledger agrees with all its checkpoints.
        case held
        /// The newest checkpoint covers the whole ledger.
        case unchanged(SignedCheckpoint)
        case signed(SignedCheckpoint)
        /// The store has closed it.
        case closed(LedgerInconsistency)
        /// There is no such ledger.
        case notFound
        /// Other signers were faster ``maximumMoves`` times.
        case outrun
    }

    /// How often an attempt begins again because the store's checkpoint was replaced meanwhile.
    static let maximumMoves = 3

    private enum State {
        case ready
        case readingNotes
        /// The first of these is being compared; `nil` is a note that was not signed with this key.
        case comparing([SignedCheckpoint?])
        case readingHead
        case sealing(SignedCheckpoint)
        case proving(from: TreeHead, to: TreeHead, isSealed: Bool)
        /// The tree does not begin with this one; the comparison finds the entry.
        case departed(TreeHead)
        case archiving(SignedCheckpoint)
        case keeping(SignedCheckpoint, isNew: Bool)
        case ended
    }

    private let organization: OrganizationID
    private let purpose: Purpose
    private let key: SignerKey
    private var state = State.ready
    /// The newest known checkpoint, whether or not the ledger agrees with it. It is never replaced by a smaller one.
    private(set) var newest: SignedCheckpoint?
    /// The head in the store's note.
    private var keptHead: TreeHead?
    private var moves = 0
    /// The archive or the store has a note that was not signed with this key.
    private(set) var isUnverifiable = false

    /// - Parameter newest: the newest checkpoint that an earlier attempt knew, by a key of the same seed.
    init(_ organization: OrganizationID, _ purpose: Purpose, key: SignerKey, newest: SignedCheckpoint?) {
        self.organization = organization
        self.purpose = purpose
        self.key = key
        self.newest = newest
    }

    mutating func begin() -> Action {
        guard case .ready = state else { unexpected() }
        state = .readingNotes
        return .readNotes
    }

    /// - Parameters:
    ///   - archived: the note in the archive, by any signer; `nil` if there is none.
    ///   - kept: the note in the store.
    mutating func found(archived: [UInt8]?, kept: [UInt8]?) -> Action {
        guard case .readingNotes = state else { unexpected() }
        let notes = notes(archived: archived, kept: kept)
        let found = notes.map(verified)
        keptHead = kept.flatMap { kept in notes.firstIndex(of: kept).map { found[$0] } ?? verified(kept) }?.head
        for signed in found.compactMap(\.self) where newest.map({ $0.head.size < signed.head.size }) ?? true {
            newest = signed
        }
        return compare(found)
    }

    /// A note as a checkpoint; `nil` if it is not signed with this key. A start has each note several times, and a
    /// signature takes longer to verify than the ledger to read, so the bytes of ``newest`` are not verified again.
    private func verified(_ note: [UInt8]) -> SignedCheckpoint? {
        if let newest, newest.checkpoint.origin == key.verifier.name, newest.bytes == note { return newest }
        return try? SignedCheckpoint(note, by: key.verifier)
    }

    /// The notes to compare the ledger with, each of them once.
    private func notes(archived: [UInt8]?, kept: [UInt8]?) -> [[UInt8]] {
        let known = newest?.bytes
        // Before it signs, an attempt proves that the tree begins with the newest one, so it need not compare that.
        let isHolding = purpose == .holding
        var notes: [[UInt8]] = []
        for note in [isHolding ? known : nil, archived, kept].compactMap(\.self)
        where !notes.contains(note) && (isHolding || note != known) {
            notes.append(note)
        }
        return notes
    }

    private mutating func compare(_ checkpoints: [SignedCheckpoint?]) -> Action {
        guard let first = checkpoints.first else { return held() }
        guard let signed = first else {
            isUnverifiable = true
            return end(.close(LedgerInconsistency(organization, .checkpoint)))
        }
        state = .comparing(checkpoints)
        return .compare(signed.head)
    }

    private mutating func held() -> Action {
        guard purpose == .signing else { return end(.end(.held)) }
        state = .readingHead
        return .readHead
    }

    /// - Parameter reason: why the store closed the ledger; `nil` if it agrees with what was signed.
    mutating func compared(_ reason: LedgerInconsistency?) -> Action {
        switch state {
        case .comparing(let checkpoints):
            if let reason { return end(.end(.closed(reason))) }
            return compare(Array(checkpoints.dropFirst()))
        case .departed(let last):
            if let reason { return end(.end(.closed(reason))) }
            return end(.close(LedgerInconsistency(organization, .anotherTree(0...(max(last.size, 1) - 1)))))
        default: unexpected()
        }
    }

    /// - Parameters:
    ///   - head: `nil` if there is no such ledger.
    ///   - isSealed: whether nodes have entered everything in it. What is signed already needs no seal.
    mutating func found(head: TreeHead?, isSealed: Bool = true) -> Action {
        guard case .readingHead = state else { unexpected() }
        guard let head else { return end(.end(.notFound)) }
        guard let last = newest else { return sign(head, isSealed: isSealed) }
        guard last.head != head else {
            state = .sealing(last)
            return isSealed ? sealed() : .seal(head)
        }
        guard last.head.size <= head.size else { return depart(from: last.head) }
        state = .proving(from: last.head, to: head, isSealed: isSealed)
        return .prove(from: last.head, to: head)
    }

    mutating func sealed() -> Action {
        guard case .sealing(let last) = state else { unexpected() }
        // An earlier attempt may have ended after writing the archive and before writing the store.
        return keptHead == last.head ? end(.end(.unchanged(last))) : keep(last, isNew: false)
    }

    /// Checks, from the hashes alone, whether the tree begins with the tree that was signed last.
    ///
    /// - Parameter proof: `nil` if the ledger has none.
    mutating func proved(_ proof: ConsistencyProof?) -> Action {
        guard case .proving(let last, let head, let isSealed) = state else { unexpected() }
        var hasher = TreeHasher()
        guard let proof, last.size == 0 || proof.holds(from: last, to: head, &hasher) else {
            return depart(from: last)
        }
        return sign(head, isSealed: isSealed)
    }

    private mutating func depart(from last: TreeHead) -> Action {
        state = .departed(last)
        return .compare(last)
    }

    private mutating func sign(_ head: TreeHead, isSealed: Bool) -> Action {
        guard isSealed else { return end(.close(LedgerInconsistency(organization, .derived(.seal)))) }
        let signed = key.sign(head)
        state = .archiving(signed)
        return .archive(signed)
    }

    mutating func archived() -> Action {
        guard case .archiving(let signed) = state else { unexpected() }
        newest = signed
        return keep(signed, isNew: true)
    }

    private mutating func keep(_ signed: SignedCheckpoint, isNew: Bool) -> Action {
        state = .keeping(signed, isNew: isNew)
        return .keep(signed, after: keptHead)
    }

    mutating func kept() -> Action {
        guard case .keeping(let signed, let isNew) = state else { unexpected() }
        return end(.end(isNew ? .signed(signed) : .unchanged(signed)))
    }

    /// Another signer has signed. The ledger is compared with that checkpoint, too.
    mutating func moved() -> Action {
        guard case .keeping = state else { unexpected() }
        moves += 1
        guard moves <= Self.maximumMoves else { return end(.end(.outrun)) }
        state = .readingNotes
        return .readNotes
    }

    private mutating func end(_ action: Action) -> Action {
        state = .ended
        return action
    }

    private func unexpected() -> Never { preconditionFailure("an event that no action asked for") }
}
