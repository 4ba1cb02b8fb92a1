import Identifiers
import Organizations

/// What readers are told of organizations, from memory where it is fresh.
///
/// Anybody may ask for any name and as often as they like, so what that costs is bounded: an organization is read at most
/// once in ``freshness``, at most ``maximumReadsAtOnce`` are read at the same time, and at most ``capacity`` are kept, with
/// at most ``unknownCapacity`` names that there are not. Guessed names push out no organization.
actor SenderDirectory {
    struct Sender: Hashable, Sendable {
        let name: String
        let consentPage: ConsentPageURL?
    }

    enum Answer: Hashable, Sendable {
        case sender(Sender)
        /// There is no such organization.
        case unknown
        /// Too many others are being read.
        case busy
    }

    private struct Entry {
        let answer: Answer
        let readAt: Timestamp
    }

    /// Some answers; when they are as many as are kept, a new one takes the place of any of them, which is read again when
    /// it is asked for.
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

    /// For how long a change of an organization may not be seen here.
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

    /// While the store is out, what was read before is still told: it is the same for everybody and changes seldom.
    ///
    /// - Throws: what the store throws, for an organization that was not read before.
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

    /// How many are kept.
    var count: Int { senders.entries.count + unknown.entries.count }

    /// Its readers wait for this one, and none of them ends it by going away.
    private func read(_ id: OrganizationID) async throws -> Answer {
        defer { readsUnderWay[id] = nil }
        let found = try await organizations.organization(id)
        let answer = found.map { Answer.sender(Sender(name: $0.name, consentPage: $0.consentPage)) } ?? .unknown
        let entry = Entry(answer: answer, readAt: now())
        (senders[id], unknown[id]) = found == nil ? (nil, entry) : (entry, nil)
        return answer
    }
}
