import Consent
import Identifiers
import SQL
import Webhooks

/// An endpoint as it is stored: its settings, its places in the feeds, its secrets, and the delivery under way.
struct EndpointRow {
    /// The delivery under way.
    struct Lease {
        let token: [UInt8]
        let holder: RelayIdentity
        let until: Timestamp
        /// ``WebhookEvent/id``
        let event: String
        let kind: EventKind
    }

    /// The data that is kept about the newest lease when it is over.
    struct LeaseTrace {
        let holder: RelayIdentity
        let until: Timestamp
    }

    var endpoint: Endpoint
    /// The last row of `endpoint_events` that was delivered.
    var event: Int64
    /// The last position of an interaction that the endpoint was told of.
    var interaction: Int64
    /// The time when the endpoint was told of that position.
    var notifiedAt: Timestamp
    /// The number of attempts so far.
    var attempts: Int64
    var secret: [UInt8]
    var formerSecret: [UInt8]?
    var lease: Lease? {
        didSet { if let lease { newestLease = LeaseTrace(holder: lease.holder, until: lease.until) } }
    }
    /// Tells which process of a relay got the newest lease; `nil` before the first lease, or if an earlier version of
    /// the service ended the newest one.
    private(set) var newestLease: LeaseTrace?

    private static let columns = """
        id, url, kinds, includes_recipient, state, created_at, place, failures, failing_since, due_at, former_until, event,
        interaction, rung_at, attempts, secret, former_secret, lease, lease_relay, lease_process, lease_until, leased,
        leased_kind
        """

    /// - Throws: ``RowError/unreadableEndpoint(_:)``
    static func all(of organization: Int64, _ db: any SQLConnection) throws -> [EndpointRow] {
        try results(of: organization, db).map { try $0.get() }
    }

    /// The endpoints that can be read: one that cannot gets no events, and does not affect the others.
    static func readable(of organization: Int64, _ db: any SQLConnection) throws -> [EndpointRow] {
        try results(of: organization, db).compactMap { try? $0.get() }
    }

    private static func results(
        of organization: Int64, _ db: any SQLConnection
    ) throws -> [Result<EndpointRow, RowError>] {
        try db.statement("SELECT \(columns) FROM endpoints WHERE organization = ? ORDER BY id")
            .all(organization, read: result)
    }

    /// An endpoint and the number of its organization.
    struct Owned {
        let organization: Int64
        let row: EndpointRow
    }

    /// All enabled endpoints; an error for one of which a value, or the organization, cannot be read.
    static func enabled(_ db: any SQLConnection) throws -> [Result<Owned, RowError>] {
        try db.statement("SELECT \(columns), organization FROM endpoints WHERE state = ? ORDER BY organization, id")
            .all(EndpointState.enabled.code) { row in
                let found = try result(row)
                guard let organization = try row.ifReadable({ row.integer(23) }) else {
                    return .failure(.unreadableEndpoint(try row.id(0)))
                }
                return found.map { Owned(organization: organization, row: $0) }
            }
    }

    /// - Throws: ``RowError/unreadableEndpoint(_:)``
    static func find(_ id: EndpointID, of organization: Int64, _ db: any SQLConnection) throws -> EndpointRow? {
        try db.statement("SELECT \(columns) FROM endpoints WHERE id = ? AND organization = ?")
            .first(id, organization) { try result($0).get() }
    }

    private static func result(_ row: SQLRow) throws -> Result<EndpointRow, RowError> {
        let id = try row.id(0, EndpointID.self)
        guard let found = try row.ifReadable({ try EndpointRow(row) }) else { return .failure(.unreadableEndpoint(id)) }
        return .success(found)
    }

    static func count(of organization: Int64, _ db: any SQLConnection) throws -> Int {
        try db.statement("SELECT count(*) FROM endpoints WHERE organization = ?")
            .first(organization) { Int($0.integer(0)) } ?? 0
    }

    /// Without the endpoints whose state cannot be read.
    static func counts(_ db: any SQLConnection) throws -> [EndpointState: Int] {
        let found = try db.statement("SELECT state, count(*) FROM endpoints GROUP BY state").all { row in
            try row.ifReadable { (try EndpointState(code: row.integer(0)), Int(row.integer(1))) }
        }
        return Dictionary(uniqueKeysWithValues: found.compactMap(\.self))
    }

    init(_ endpoint: Endpoint, secret: [UInt8], event: Int64, interaction: Int64) {
        self.endpoint = endpoint
        self.secret = secret
        self.event = event
        self.interaction = interaction
        notifiedAt = .init(millisecondsSince1970: 0)
        attempts = 0
    }

    private init(_ row: SQLRow) throws {
        let url: EndpointURL
        let position: ConsentFeedPosition?
        do {
            url = try EndpointURL(row.text(1))
            position = try ConsentFeedPosition.read(cursor: row.text(6))
        } catch {
            throw StorageError.unreadable
        }
        endpoint = Endpoint(
            id: try row.id(0), url: url, kinds: Set(bits: row.integer(2)), includesRecipient: row.bool(3),
            state: try EndpointState(code: row.integer(4)), createdAt: row.timestamp(5), position: position,
            progress: DeliveryProgress(
                failures: Int(row.integer(7)), failingSince: row.optionalTimestamp(8), dueAt: row.timestamp(9)),
            formerSecretUntil: row.optionalTimestamp(10))
        event = row.integer(11)
        // A place that no node makes would hide every interaction: the endpoint is told of the last one again.
        interaction = row.integer(12) < Int64(TimeOrderedNumber.endOfMade) ? row.integer(12) : 0
        notifiedAt = row.timestamp(13)
        attempts = row.integer(14)
        // One more must be a number, too.
        guard (0..<Int64.max).contains(attempts), (0..<Int64.max).contains(row.integer(7)) else {
            throw StorageError.unreadable
        }
        secret = row.bytes(15)
        formerSecret = row.isNull(16) ? nil : row.bytes(16)
        guard !row.isNull(18) else { return }
        guard let holder = RelayIdentity(relay: row.text(18), process: row.text(19)) else {
            throw StorageError.unreadable
        }
        newestLease = LeaseTrace(holder: holder, until: row.timestamp(20))
        guard !row.isNull(17) else { return }
        lease = Lease(
            token: row.bytes(17), holder: holder, until: row.timestamp(20), event: row.text(21),
            kind: try EventKind(code: row.integer(22)))
    }

    /// The row without times that no clock can have stored by `now`: a clock that was ahead stored them before a
    /// restart.
    func bounded(at now: Timestamp) -> EndpointRow {
        var row = self
        row.endpoint.progress = endpoint.progress.bounded(at: now)
        if let end = endpoint.formerSecretUntil, !(end - EndpointSecret.overlap).isPossible(at: now) {
            (row.formerSecret, row.endpoint.formerSecretUntil) = (nil, nil)
        }
        if !notifiedAt.isPossible(at: now) { row.notifiedAt = .init(millisecondsSince1970: 0) }
        if let newest = newestLease, !(newest.until - LeasedEvent.lifetime).isPossible(at: now) {
            (row.lease, row.newestLease) = (nil, nil)
        }
        return row
    }

    /// Whether a later process of the same relay got a lease here in the last minutes.
    func supersedes(_ relay: RelayIdentity, at now: Timestamp) -> Bool {
        guard let newest = newestLease, relay.isEarlier(than: newest.holder) else { return false }
        return newest.until.advanced(by: LeasedEvent.memory) > now
    }

    func insert(organization: Int64, _ db: any SQLConnection) throws {
        try db.statement(
            """
            INSERT INTO endpoints (
                organization, id, url, kinds, includes_recipient, state, created_at, place, failures, failing_since,
                due_at, former_until, event, interaction, rung_at, attempts, secret
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            organization, endpoint.id, endpoint.url.text, endpoint.kinds.bits, endpoint.includesRecipient,
            endpoint.state.code, endpoint.createdAt, endpoint.position?.cursor ?? ConsentFeedPosition.start,
            endpoint.progress.failures, endpoint.progress.failingSince, endpoint.progress.dueAt,
            endpoint.formerSecretUntil, event, interaction, notifiedAt, attempts, secret)
    }

    func update(_ db: any SQLConnection) throws {
        try db.statement(
            """
            UPDATE endpoints SET url = ?, kinds = ?, includes_recipient = ?, state = ?, place = ?, failures = ?,
                failing_since = ?, due_at = ?, former_until = ?, event = ?, interaction = ?, rung_at = ?, attempts = ?,
                secret = ?, former_secret = ?, lease = ?, lease_relay = ?, lease_process = ?, lease_until = ?,
                leased = ?, leased_kind = ?
            WHERE id = ?
            """
        ).run(
            endpoint.url.text, endpoint.kinds.bits, endpoint.includesRecipient, endpoint.state.code,
            endpoint.position?.cursor ?? ConsentFeedPosition.start, endpoint.progress.failures,
            endpoint.progress.failingSince, endpoint.progress.dueAt, endpoint.formerSecretUntil, event, interaction,
            notifiedAt, attempts, secret, formerSecret, lease?.token, newestLease?.holder.relay,
            newestLease?.holder.process, newestLease?.until, lease?.event, lease?.kind.code, endpoint.id)
    }

    /// The secrets that sign deliveries now, the present one first.
    func secrets(at now: Timestamp) -> [[UInt8]] {
        guard let former = formerSecret, let end = endpoint.formerSecretUntil, end > now else { return [secret] }
        return [secret, former]
    }
}
