import Identifiers
import Synchronization

/// How many bytes the request bodies of the private listener may take together, so that bodies that never end or arrive
/// all at once do not exhaust the memory of the process.
final class BodyBudget: Sendable {
    /// The usual budget, in bytes.
    static let usual = 128 << 20

    private struct State {
        var all = 0
        var ofOrganizations: [OrganizationID: Int] = [:]
    }

    /// The budget, in bytes. One organization gets at most half of it.
    private let maximum: Int
    /// Guards the sums; held for one addition.
    private let state = Mutex(State())

    init(_ maximum: Int = usual) { self.maximum = maximum }

    /// For tests.
    var bytesTaken: Int { state.withLock { $0.all } }

    /// - Returns: whether there was room; if not, nothing is taken.
    func reserve(_ count: Int, for organization: OrganizationID?) -> Bool {
        state.withLock { state in
            guard state.all + count <= maximum else { return false }
            if let organization {
                let taken = state.ofOrganizations[organization, default: 0] + count
                guard taken <= maximum / 2 else { return false }
                state.ofOrganizations[organization] = taken
            }
            state.all += count
            return true
        }
    }

    func give(back count: Int, of organization: OrganizationID?) {
        guard count > 0 else { return }
        state.withLock { state in
            state.all -= count
            guard let organization, let taken = state.ofOrganizations[organization] else { return }
            state.ofOrganizations[organization] = taken == count ? nil : taken - count
        }
    }
}

/// The share of a ``BodyBudget`` that one request has. It is returned when the request ends.
final class BodyAllowance: Sendable {
    /// The largest body that the request may have, in bytes.
    let maximum: Int
    private let budget: BodyBudget
    private let organization: OrganizationID?
    private let taken = Atomic<Int>(0)

    init(_ budget: BodyBudget, for organization: OrganizationID?, maximum: Int) {
        self.budget = budget
        self.organization = organization
        self.maximum = maximum
    }

    deinit { budget.give(back: taken.load(ordering: .relaxed), of: organization) }

    func reserve(_ count: Int) throws(Problem) {
        guard budget.reserve(count, for: organization) else {
            throw .unavailable("Too many request bodies are being read at the moment. Please try again.")
        }
        taken.wrappingAdd(count, ordering: .relaxed)
    }

    /// Sets the share to exactly `count`: takes what is missing, and returns what is too much. For a body that is held
    /// in parts. Only one task at a time may call it.
    func hold(_ count: Int) throws(Problem) {
        let held = taken.load(ordering: .relaxed)
        if count > held { return try reserve(count - held) }
        budget.give(back: held - count, of: organization)
        taken.store(count, ordering: .relaxed)
    }
}
