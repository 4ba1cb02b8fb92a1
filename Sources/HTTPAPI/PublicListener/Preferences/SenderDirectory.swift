import Identifiers
import Organizations

/// What readers are told about organizations, from memory while it is fresh.
///
/// Any client may ask for any name, as often as it likes, so the cost is bounded. An organization is read at most once
/// in ``freshness``, at most ``maximumReadsAtOnce`` are read at the same time, and at most ``capacity`` are kept, with
/// at most ``unknownCapacity`` names of organizations that do not exist. Guessed names cannot displace an organization.
actor SenderDirectory {
    struct Sender: Hashable, Sendable {
        let name: String
        let consentPage: ConsentPageURL?
    }

    enum Answer: Hashable, Sendable {
        case sender(Sender)
        /// The organization does not exist.
        case unknown
        /// Too many other organizations are being read.
        case busy
    }

    private struct Entry {
        let answer: Answer
        let readAt: Timestamp
    }

    /// The kept answers. When they are full, a new answer replaces any one of them, which is read again when it is next
    /// asked for.
    private struct Kept {
        let capacity: Int
        private(set) var entries: [OrganizationID: Entry] = [:]

        init(capacity: Int) { self.capacity = capacity }

        subscript(id: OrganizationID) -> Entry? {
            get { entries[id] }
            set {
                if newValue != nil, entries[id] == nil, entries.count >= capacity, let other = entries.keys.first {
                    entries[other] = nil
                }
                entries[id] = newValue
            }
        }
    }

    /// How long a change of an organization may be invisible here.
    static let freshness = Duration.seconds(1)
    static let maximumReadsAtOnce = 8
    static let capacity = 1024
    static let unknownCapacity = 128

    private let organizations: any OrganizationDirectory
    private let now: @Sendable () -> Timestamp
    private var senders = Kept(capacity: SenderDirectory.capacity)
    private var unknown = Kept(capacity: SenderDirectory.unknownCapacity)
    private var readsUnderWay: [OrganizationID: Task<Answer, any Error>] = [:]

    init(_ organizations: any OrganizationDirectory, now: @escaping @Sendable () -> Timestamp) {
        self.organizations = organizations
        self.now = now
    }

    /// While the store is unavailable, older answers are still returned: they are the same for all readers and change
    /// seldom.
    ///
    /// - Throws: what the store throws, if the organization was not read before.
    func find(_ id: OrganizationID) async throws -> Answer {
        let known = senders[id] ?? unknown[id]
        if let known, now() < known.readAt.advanced(by: Self.freshness) { return known.answer }
        do {
            if let read = readsUnderWay[id] { return try await read.value }
            guard readsUnderWay.count < Self.maximumReadsAtOnce else { return known?.answer ?? .busy }
            let read = Task { try await self.read(id) }
            readsUnderWay[id] = read
            return try await read.value
        } catch {
            guard let known else { throw error }
            return known.answer
        }
    }

    /// How many are kept. For tests.
    var count: Int { senders.entries.count + unknown.entries.count }

    /// Several readers wait for one read. A reader that disconnects does not cancel it.
    private func read(_ id: OrganizationID) async throws -> Answer {
        defer { readsUnderWay[id] = nil }
        let found = try await organizations.organization(id)
        let answer = found.map { Answer.sender(Sender(name: $0.name, consentPage: $0.consentPage)) } ?? .unknown
        let entry = Entry(answer: answer, readAt: now())
        (senders[id], unknown[id]) = found == nil ? (nil, entry) : (entry, nil)
        return answer
    }
}
