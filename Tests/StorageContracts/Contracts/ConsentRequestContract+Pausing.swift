import Consent
import Identifiers
import TestSupport
import Testing

extension ConsentRequestContract {
    static let pausing: [Promise] = [
        Promise("somebody who did not answer is left alone, until the pause is over") { storage in
            _ = try await storage.request(.ana, at: .noon)
            let end = .noon + 180 * day
            let early = try await storage.ask(.ana, pausingDays: 180, at: end + -1)
            #expect(early == .refused(.tooSoon(until: end)))
            guard case .made = try await storage.ask(.ana, pausingDays: 180, at: end) else {
                Issue.record("is not asked after the pause")
                return
            }
        },
        Promise("a pause is not over because the clock is ahead, and nobody else waits for the clock") { storage in
            _ = try await storage.request(.ana, at: .noon)
            let end = .noon + 180 * day
            for earliest in [Timestamp.distantPast, .noon, end + -1] {
                let outcome = try await storage.ask(.ana, pausingDays: 180, at: end + day, earliest: earliest)
                #expect(outcome == .refused(.tooSoon(until: end)))
            }
            guard case .made = try await storage.ask(.ana, pausingDays: 180, at: end + day, earliest: end),
                case .made = try await storage.ask(.bo, pausingDays: 180, at: end + day, earliest: .distantPast)
            else {
                Issue.record("is not asked although the pause is over, or never began")
                return
            }
        },
        Promise("of two requests at once one is refused") { storage in
            async let one = storage.ask(.ana, pausingDays: 180, at: .noon)
            async let other = storage.ask(.ana, pausingDays: 180, at: .noon)
            let outcomes = [try await one, try await other]
            #expect(outcomes.count { if case .made = $0 { true } else { false } } == 1)
            #expect(outcomes.contains(.refused(.tooSoon(until: .noon + 180 * day))))
        },
        Promise("a no from anywhere begins a pause, for any purpose that is asked for") { storage in
            let other = try Purpose("newsletter")
            for state in ConsentState.allCases where state.endsTracking {
                let recipient = try RecipientID("\(state.rawValue)@people.example")
                try await storage.record(state, for: recipient, purpose: other)
                let refused = try await storage.ask(
                    recipient, for: [.tracking, other], pausingDays: 200, at: .noon + day)
                #expect(refused == .refused(.tooSoon(until: .noon + 200 * day)), "\(state)")
                guard case .made = try await storage.ask(recipient, pausingDays: 200, at: .noon + day) else {
                    Issue.record("a no to one purpose is one to another, after \(state)")
                    return
                }
            }
        },
        Promise("a no or silence to tracking counts for opens, which it asks about too, unless they were asked apart") {
            storage in
            func asking(_ recipient: RecipientID) async throws -> AskingOutcome {
                try await storage.ask(recipient, for: [.openTracking], pausingDays: 180, at: .noon + day)
            }
            let silent = try RecipientID("silent")
            for recipient in [try RecipientID.ana, silent] { _ = try await storage.request(recipient, at: .noon) }
            try await storage.record(.refused, for: .ana)
            for recipient in [try RecipientID.ana, silent] {
                #expect(try await asking(recipient) == .refused(.tooSoon(until: .noon + 180 * day)), "\(recipient)")
            }
            let apart = try await storage.request(.bo, for: [.tracking, .openTracking], at: .noon)
            try await storage.press(.refused, on: apart, at: .noon)
            try await storage.press(.given, on: apart, for: .openTracking, at: .noon)
            guard case .made = try await asking(.bo) else {
                Issue.record("a no to clicks is one to opens, which were asked apart")
                return
            }
        },
        Promise("a no or silence to opens, asked apart, counts for tracking alone, which asks about them too") {
            storage in
            func asking(_ recipient: RecipientID, for purposes: [Purpose]) async throws -> AskingOutcome {
                try await storage.ask(recipient, for: purposes, pausingDays: 180, at: .noon + day)
            }
            let (silent, newsletter) = (try RecipientID("silent"), try Purpose("newsletter"))
            for recipient in [try RecipientID.ana, silent] {
                let opens = try await storage.request(recipient, for: [.openTracking], at: .noon)
                if recipient != silent { try await storage.press(.refused, on: opens, for: .openTracking, at: .noon) }
                #expect(
                    try await asking(recipient, for: [.tracking]) == .refused(.tooSoon(until: .noon + 180 * day)),
                    "\(recipient)")
                guard case .made = try await asking(recipient, for: [newsletter]) else {
                    Issue.record("a no to opens is one to another purpose")
                    return
                }
            }
            let opens = try await storage.request(.bo, for: [.openTracking], at: .noon)
            try await storage.press(.given, on: opens, for: .openTracking, at: .noon)
            guard case .made = try await asking(.bo, for: [.tracking]) else {
                Issue.record("a yes to opens begins a pause")
                return
            }
        },
        Promise("a refusal on a page begins a pause; a yes does not") { storage in
            let (asked, other) = (
                try await storage.request(.ana, at: .noon), try await storage.request(.bo, at: .noon)
            )
            try await storage.press(.refused, on: asked, at: .noon + day)
            try await storage.press(.given, on: other, at: .noon + day)
            let refused = try await storage.ask(.ana, pausingDays: 180, at: .noon + 2 * day)
            #expect(refused == .refused(.tooSoon(until: .noon + 181 * day)))
            guard case .made = try await storage.ask(.bo, pausingDays: 180, at: .noon + 2 * day) else {
                Issue.record("somebody who agreed is not asked about a new notice")
                return
            }
        },
        Promise("a yes that was given elsewhere after a question answers it; one from before does not") { storage in
            try await storage.record(.given, for: .bo)
            for recipient in [try RecipientID.ana, try .bo] {
                _ = try await storage.request(recipient, at: .noon + 1)
            }
            try await storage.record(.given, for: .ana, at: .noon + 2)
            guard case .made = try await storage.ask(.ana, pausingDays: 180, at: .noon + day) else {
                Issue.record("an answer from elsewhere counts for silence")
                return
            }
            let silent = try await storage.ask(.bo, pausingDays: 180, at: .noon + day)
            #expect(silent == .refused(.tooSoon(until: .noon + 1 + 180 * day)))
        },
        Promise("an answer to the last of several requests, on its page or elsewhere, is one to those before") {
            storage in
            let (silent, onPage) = (try RecipientID("silent"), try RecipientID("page"))
            let (elsewhere, late) = (try RecipientID("elsewhere"), try RecipientID("late"))
            for recipient in [silent, onPage, elsewhere, late] {
                _ = try await storage.request(recipient, at: .noon)
                let last = try await storage.request(recipient, at: .noon + day)
                if recipient == onPage { try await storage.press(.given, on: last, at: .noon + 2 * day) }
            }
            try await storage.record(.given, for: elsewhere, at: .noon + 2 * day)
            try await storage.record(.given, for: late, occurredAt: .noon + -day, at: .noon + 2 * day)
            for recipient in [silent, late] {
                let refused = try await storage.ask(recipient, pausingDays: 180, at: .noon + 3 * day)
                #expect(refused == .refused(.tooSoon(until: .noon + 181 * day)), "\(recipient)")
            }
            for recipient in [onPage, elsewhere] {
                guard case .made = try await storage.ask(recipient, pausingDays: 180, at: .noon + 3 * day) else {
                    Issue.record("an earlier request counts as unanswered")
                    return
                }
            }
            try await storage.record(.refused, for: late, occurredAt: .noon + -day, at: .noon + 3 * day)
            let refused = try await storage.ask(late, pausingDays: 180, at: .noon + 3 * day)
            #expect(refused == .refused(.tooSoon(until: .noon + 179 * day)), "a late no answers")
        },
        Promise("a yes that was not confirmed is silence") { storage in
            let made = try await storage.request(.ana, needsConfirmation: true, at: .noon)
            try await storage.press(.given, on: made, at: .noon)
            let refused = try await storage.ask(.ana, pausingDays: 180, at: .noon + day)
            #expect(refused == .refused(.tooSoon(until: .noon + 180 * day)))
        },
    ]
}
