import Identifiers
import Testing
import TrackingIDs

@Suite struct LinkExpiryTests {
    @Test(
        "a message's own limit counts, rounded down to a whole second: nothing is recorded from it on",
        arguments: [
            ("2026-11-20T09:00:00.000Z", "2026-11-20T09:00:00.000Z"),
            ("2026-11-20T09:00:00.001Z", "2026-11-20T09:00:00.000Z"),
            ("2026-11-20T09:00:00.999Z", "2026-11-20T09:00:00.000Z"),
            ("1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"),
            ("2106-02-07T06:28:15.000Z", "2106-02-07T06:28:15.000Z"),
            ("2106-02-07T06:28:15.999Z", "2106-02-07T06:28:15.000Z"),
        ]
    )
    func ownLimit(_ expiresAt: String, _ expected: String) throws {
        let expiry = try LinkExpiry(
            messageExpiresAt: Timestamp(rfc3339: expiresAt),
            composedAt: .sample,
            lifetimeInDays: 180
        )
        #expect(expiry.timestamp.rfc3339 == expected)
    }

    @Test(
        "otherwise the day of composing and the lifetime do, rounded up to a whole day",
        arguments: [
            ("2026-11-20T09:00:00.000Z", 180, "2027-05-20T00:00:00.000Z"),
            ("2026-11-20T23:59:59.999Z", 180, "2027-05-20T00:00:00.000Z"),
            ("2026-11-20T00:00:00.001Z", 180, "2027-05-20T00:00:00.000Z"),
            ("2026-11-20T00:00:00.000Z", 180, "2027-05-19T00:00:00.000Z"),
            ("2026-11-20T09:00:00.000Z", 1, "2026-11-22T00:00:00.000Z"),
            ("2026-11-20T09:00:00.000Z", 0, "2026-11-21T00:00:00.000Z"),
            ("2106-02-05T09:00:00.000Z", 1, "2106-02-07T00:00:00.000Z"),
        ]
    )
    func lifetime(_ composedAt: String, _ days: Int, _ expected: String) throws {
        let expiry = try LinkExpiry(
            messageExpiresAt: nil,
            composedAt: Timestamp(rfc3339: composedAt),
            lifetimeInDays: days
        )
        #expect(expiry.timestamp.rfc3339 == expected)
    }

    static let outOfRange: [(messageExpiresAt: Timestamp?, composedAt: Timestamp, lifetimeInDays: Int)] = [
        (Timestamp(millisecondsSince1970: -1), .sample, 180),
        (Timestamp(millisecondsSince1970: 4_294_967_296_000), .sample, 180),
        (.distantFuture, .sample, 180),
        (.distantPast, .sample, 180),
        (nil, Timestamp(secondsSince1970: 4_294_944_001), 0),
        (nil, Timestamp(secondsSince1970: -200_000), 1),
        (nil, .sample, -1),
        (nil, .sample, 40_000),
        (nil, .sample, .max),
        (nil, .distantFuture, 1),
        (nil, .distantPast, 1),
    ]

    @Test("what 32 bits cannot say is refused", arguments: outOfRange.indices)
    func refused(_ index: Int) {
        let (messageExpiresAt, composedAt, lifetimeInDays) = Self.outOfRange[index]
        #expect(throws: TrackingIDError.expiryOutOfRange) {
            try LinkExpiry(
                messageExpiresAt: messageExpiresAt,
                composedAt: composedAt,
                lifetimeInDays: lifetimeInDays
            )
        }
    }

    @Test("it has passed from its second on")
    func passing() {
        let expiry = LinkExpiry(secondsSince1970: 100)
        #expect(!expiry.hasPassed(at: Timestamp(millisecondsSince1970: 99_999)))
        #expect(expiry.hasPassed(at: Timestamp(millisecondsSince1970: 100_000)))
    }
}
