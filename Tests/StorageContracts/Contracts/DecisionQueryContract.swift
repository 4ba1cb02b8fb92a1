import Consent
import Identifiers
import TestSupport
import Testing

/// What every `DecisionLog` promises about finding: the same as going through all decisions one by one.
package enum DecisionQueryContract {
    package static let promises: [Promise] = [
        Promise("any combination of filters finds what going through all decisions finds") { storage in
            let log = try await SampleLog(storage)
            var random = SeededGenerator(seed: 1)
            for _ in 0..<400 {
                let (query, limit) = (log.query(&random), Int.random(in: 0...40, using: &random))
                let found = try await storage.decisions.decisions(matching: query, limit: limit, in: storage.acme)
                #expect(found == Array(log.entries.filter { $0.fits(query) }.prefix(limit)), "\(query)")
            }
        },
        Promise("page after page gives every decision exactly once") { storage in
            let log = try await SampleLog(storage)
            var (query, read) = (DecisionQuery(outcome: .untracked), [DecisionEntry]())
            while true {
                let page = try await storage.decisions.decisions(matching: query, limit: 7, in: storage.acme)
                read += page
                guard let last = page.last else { break }
                query.after = last.id
            }
            #expect(read == log.entries.filter { $0.reason.outcome == .untracked })
            #expect(!read.isEmpty)
        },
        Promise("a decision is found from its millisecond on, and no longer up to it") { storage in
            let message = try await storage.message()
            let id = try await storage.decide([(try .ana, .noConsentRecord)], of: message, at: .noon)[0].id
            func find(_ query: DecisionQuery) async throws -> [DecisionID] {
                try await storage.decisions.decisions(matching: query, limit: 9, in: storage.acme).map(\.id)
            }
            #expect(try await find(DecisionQuery(from: .noon)) == [id])
            #expect(try await find(DecisionQuery(from: .noon + 1)) == [])
            #expect(try await find(DecisionQuery(to: .noon)) == [])
            #expect(try await find(DecisionQuery(to: .noon + 1)) == [id])
            #expect(try await find(DecisionQuery(from: .distantPast, to: .distantFuture)) == [id])
        },
        Promise("nothing of another organization is ever found") { storage in
            _ = try await SampleLog(storage)
            for message in [nil, try await storage.message()] {
                for recipient in [nil, try RecipientID.ana] {
                    let query = DecisionQuery(recipient: recipient, message: message)
                    let found = try await storage.decisions.decisions(
                        matching: query, limit: 9, in: storage.globex)
                    #expect(found.isEmpty)
                }
            }
        },
    ]
}

/// A log of some hundred decisions about few people and messages, one of them erased.
private struct SampleLog {
    let entries: [DecisionEntry]
    private let people: [RecipientID]
    private let messages: [MessageID]

    init(_ storage: StorageUnderTest) async throws {
        var random = SeededGenerator(seed: 7)
        let people = try ["ana@example.com", "bo@example.com", "cy@example.com"].map { try RecipientID($0) }
        let messages = [
            try await storage.message(), try await storage.message("offers", purpose: Purpose("offers")),
            try await storage.message("autumn"),
        ]
        for hour in 0..<60 {
            let batch = (0..<5).map { _ in
                (
                    people[.random(in: 0..<3, using: &random)],
                    DecisionReason.allCases[.random(in: 0..<10, using: &random)]
                )
            }
            try await storage.decide(
                batch, of: messages[.random(in: 0..<3, using: &random)],
                at: .noon + Int64(hour) * 1000)
        }
        _ = try await storage.consents.erase(people[2], in: storage.acme)
        entries = try await storage.decisions.decisions(matching: DecisionQuery(), limit: 1000, in: storage.acme)
        self.people = people
        self.messages = messages
        #expect(entries.count == 300)
    }

    func query(_ random: inout SeededGenerator) -> DecisionQuery {
        func maybe<Value>(_ values: [Value]) -> Value? {
            Bool.random(using: &random) ? values.randomElement(using: &random) : nil
        }
        return DecisionQuery(
            recipient: maybe(people), message: maybe(messages), outcome: maybe(DecisionOutcome.allCases),
            reason: maybe(DecisionReason.allCases), from: maybe((0..<20).map { .noon + $0 * 1000 }),
            to: maybe((20..<61).map { .noon + $0 * 1000 }), after: maybe(entries.map(\.id)))
    }
}

extension DecisionEntry {
    fileprivate func fits(_ query: DecisionQuery) -> Bool {
        query.recipient.map { $0 == recipient } ?? true && query.message.map { $0 == message } ?? true
            && query.outcome.map { $0 == reason.outcome } ?? true && query.reason.map { $0 == reason } ?? true
            && query.from.map { $0 <= decidedAt } ?? true && query.to.map { $0 > decidedAt } ?? true
            && query.after.map { $0 < id } ?? true
    }
}
