import Consent
package import Identifiers
import Synchronization

/// What decides whether an organization's clicks are recorded, in memory: its revocation lists, its quota, and whether
/// it honours Global Privacy Control.
package final class RecordingRules: Sendable {
    private struct State {
        /// `nil` until the store has said which one applies, which it does before the listeners open.
        var policy: ConsentPolicy?
        var lists: [RecordingScope: RevocationList] = [:]
        /// The recipients who were erased, for lists that are made later.
        var erased: Set<RecipientReference> = []
        var isClosed = false
        /// Whether the next reload only adds to the lists.
        var keepsEnds = false
    }

    /// Guards the table of lists, not their entries. Taken when a message is loaded and when consent changes, never for
    /// a click.
    private let state = Mutex(State())
    private let gpc = Atomic<Bool>(true)
    private let full = Atomic<Bool>(false)
    private let known: KnownUntil

    /// - Parameter known: until when all settings are known.
    init(known: KnownUntil = KnownUntil()) { self.known = known }

    package internal(set) var honorsGPC: Bool {
        get { gpc.load(ordering: .relaxed) }
        set { gpc.store(newValue, ordering: .relaxed) }
    }

    /// Whether an objection by Global Privacy Control counts now: the organization honours it, or another node may have
    /// acknowledged that it does.
    var honorsGPCNow: Bool {
        // The setting is read again after the time until which it is known: both may have changed in between.
        honorsGPC || !known.coversNow || honorsGPC
    }

    /// Whether the organization has stored as many interactions as it may. Then none is recorded.
    package var isFull: Bool {
        get { full.load(ordering: .relaxed) }
        set { full.store(newValue, ordering: .relaxed) }
    }

    /// The list for `purpose`. The object stays the same, so it can be kept beside a link.
    package func revocations(for purpose: Purpose) -> RevocationList {
        list(for: .purpose(purpose))
    }

    /// The recipients of whom no message records opens that need consent to `tracking`, because they said no to opens
    /// apart from links. The object stays the same.
    package var refusedOpens: RevocationList { list(for: .refusedOpens) }

    private func list(for scope: RecordingScope) -> RevocationList {
        state.withLock { Self.list(for: scope, in: &$0) }
    }

    /// Whether nothing of this organization is recorded.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Ends the recording of everything of this organization, because it is not known whose consent ended. Links still
    /// redirect.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            for list in state.lists.values { list.close() }
        }
    }

    /// Whether the next reload keeps the recipients that are on the lists now.
    var keepsEnds: Bool {
        get { state.withLock { $0.keepsEnds } }
        set { state.withLock { $0.keepsEnds = newValue } }
    }

    func apply(_ changes: [ConsentChange]) {
        state.withLock { state in
            guard let policy = state.policy else { return }
            for change in changes {
                for (scope, end) in policy.recordingEnds(for: change.status, of: change.purpose) {
                    Self.list(for: scope, in: &state).set(change.reference, end: end)
                }
            }
        }
    }

    func erase(_ reference: RecipientReference) {
        state.withLock { state in
            state.erased.insert(reference)
            for list in state.lists.values { list.set(reference, end: .distantPast) }
        }
    }

    func reload(_ ends: [RecordingScope: [RecordingEnd]], enforcement: Enforcement) {
        state.withLock { state in
            state.policy = ConsentPolicy(enforcement: enforcement)
            for scope in Set(state.lists.keys).union(ends.keys) {
                let list = Self.list(for: scope, in: &state)
                if state.keepsEnds {
                    list.add(ends[scope, default: []])
                } else {
                    list.replace(with: ends[scope, default: []])
                }
                for reference in state.erased { list.set(reference, end: .distantPast) }
            }
            state.keepsEnds = false
        }
    }

    private static func list(for scope: RecordingScope, in state: inout State) -> RevocationList {
        if let list = state.lists[scope] { return list }
        let list = RevocationList()
        if state.isClosed { list.close() }
        for reference in state.erased { list.set(reference, end: .distantPast) }
        state.lists[scope] = list
        return list
    }
}
