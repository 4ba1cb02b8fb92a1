import Formats
import Identifiers
import Interactions
import TestSupport
import Testing
import TrackingIDs

@Suite struct DeviceReportTests {
    private static let id: String = DeviceSamples.trackingID
    private static let secret: String = "s3cr3t"

    private static let bodies = [
        #"{"DeviceToken":"t","PushNotificationStatus":"Opened","TrackingId":"\#(id)"}"#,
        #"{"type":"Button","trackingId":"\#(id)","action":{"identifier":"buy"}}"#,
    ]
    private static let query: String = "mcId=1&id=h\(DeviceSamples.hexadecimal)%2C\(DeviceSamples.messageID),2"

    @Test("every refusal says something of its own, in a line")
    func descriptions() {
        let texts = DeviceReportError.allCases.map(\.description)
        #expect(Set(texts).count == DeviceReportError.allCases.count)
        for text in texts { #expect(!text.isEmpty && !text.contains("\n")) }
    }

    @Test("a refusal repeats nothing of the request")
    func repeatsNothing() {
        let readers: [([UInt8]) throws -> DeviceReading] = [
            { try Dynamics365Event.read(body: $0) }, { .report(try BirdInteraction.read(body: $0)) },
        ]
        for body in [
            secretBody(#""PushNotificationStatus":"S""#), secretBody(#""S":1,"S":2"#), "S",
            secretBody(#""TrackingId":"S","PushNotificationStatus":0"#), secretBody(#""type":"S""#),
            secretBody(#""type":"Tap","trackingId":"S""#),
            secretBody(#""type":"Tap","trackingId":"\#(Self.id)","action":{"identifier":["S"]}"#),
        ].map({ $0.replacing("S", with: Self.secret) }) {
            for read in readers {
                let error = #expect(throws: (any Error).self) { try read(Array(body.utf8)) }
                #expect(!"\(error.map { "\($0)" } ?? "")".contains(Self.secret))
            }
        }
        for query in [
            "id=s3cr3t", "id=h\(DeviceSamples.hexadecimal),s3cr3t,1", "id=h\(DeviceSamples.hexadecimal),1,s3cr3t",
        ] {
            let error = #expect(throws: DeviceReportError.self) { try AdobeCampaignHit.read(query: query) }
            #expect(error.map { !$0.description.contains(Self.secret) } == true)
        }
    }

    private func secretBody(_ members: String) -> String { "{\(members)}" }

    @Test("a report in a log does not hold the tracking ID")
    func unspoken() throws {
        let text =
            "\(try BirdInteraction.read(body: Array(Self.bodies[1].utf8)))"
            + "\(try AdobeCampaignHit.read(query: Self.query))"
        #expect(!text.contains(Self.id))
        #expect(!text.contains("107, 242"), "nor its bytes as numbers")
    }

    @Test("reports are equal when all they say is")
    func equality() throws {
        let other = Self.query.replacing("h01", with: "h02")
        #expect(try AdobeCampaignHit.read(query: Self.query) == AdobeCampaignHit.read(query: Self.query))
        #expect(try AdobeCampaignHit.read(query: Self.query) != AdobeCampaignHit.read(query: other))
        let ids = try [
            AdobeCampaignHit.read(query: Self.query).trackingID,
            BirdInteraction.read(body: Array(Self.bodies[1].utf8)).trackingID,
        ]
        #expect(ids[0] != ids[1], "two spellings are two sealed IDs")
        #expect(Set(ids + ids).count == 2)
    }

    @Test("whatever is done to a body, it is read or refused, and never opens to somebody else", arguments: 0..<20)
    func mutatedBodies(_ seed: Int) throws {
        let opener = try DeviceSamples.opener()
        let genuine = try DeviceSamples.opened()
        var generator = SeededGenerator(seed: UInt64(seed))
        var read = 0
        for _ in 0..<500 {
            for body in Self.bodies {
                let mutated = Array(body.utf8).mutated(using: &generator)
                let readings = [
                    try? Dynamics365Event.read(body: mutated),
                    try? Dynamics365Event.read(trackingID: String(decoding: mutated, as: UTF8.self), body: mutated),
                    (try? BirdInteraction.read(body: mutated)).map { .report($0) },
                ]
                for case .report(let report)? in readings {
                    read += 1
                    let opened = report.trackingID.opened(by: opener).trackingID
                    #expect(opened == nil || opened == genuine)
                }
            }
        }
        #expect(read > 0, "some of them are read")
    }

    @Test("whatever is done to a hit, it is read or refused, and never opens to somebody else", arguments: 0..<20)
    func mutatedHits(_ seed: Int) throws {
        let opener = try DeviceSamples.opener()
        let genuine = try DeviceSamples.opened()
        var generator = SeededGenerator(seed: UInt64(seed) << 32)
        var read = 0
        for _ in 0..<2000 {
            let mutated = Array(Self.query.utf8).mutated(using: &generator)
            guard let report = try? AdobeCampaignHit.read(query: mutated.span) else { continue }
            read += 1
            let opened = report.trackingID.opened(by: opener).trackingID
            #expect(opened == nil || opened == genuine)
        }
        #expect(read > 0, "some of them are read")
    }
}
