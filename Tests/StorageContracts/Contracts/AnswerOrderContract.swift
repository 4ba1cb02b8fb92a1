import Consent
import Identifiers
import TestSupport
import Testing

/// What every storage promises about the order of answers: an older one never wins. Every order of a few events is tried,
/// each on a recipient of its own.
package enum AnswerOrderContract {
    package static let promises: [Promise] = [
        Promise("an older request never overrides what came later, in any order, while the clock goes on") { storage in
            try await checkOrders(in: storage) { .noon + Int64($0) }
        },
        Promise("an older request never overrides what came later, in any order, while the clock stands still") {
            storage in try await checkOrders(in: storage) { _ in .noon }
        },
        Promise("an older request never overrides what came later, in any order, while the clock goes back") {
            storage in
            try await checkOrders(in: storage) { .noon + (100 - Int64($0)) }
        },
        Promise("a yes that needs a confirmation is in force only if the second link was pressed last") { storage in
            try await Confirming.allCases.orders.concurrently { order, recipient in
                try await checkConfirmation(order, of: recipient, in: storage)
            }
        },
        Promise("what was said before the question, and is told after it, is a later answer only if it is a no") {
            storage in
            for (state, isLater) in [(ConsentState.given, false), (.withdrawn, true), (.refused, true)] {
                let recipient = try RecipientID("\(state.rawValue)@people.example")
                let request = try await storage.request(recipient, at: .noon)
                try await storage.record(state, for: recipient, occurredAt: .noon + -1000, at: .noon + 1)
                let answered = try await storage.press(.given, on: request, at: .noon + 2)
                #expect(answered.verdict == (isLater ? .changesNothing(.laterAnswer) : .records(.given)), "\(state)")
            }
        },
        Promise("a no from before the page's own yes closes nothing: that yes is in force, and can be taken back") {
            storage in
            for state in ConsentState.allCases where state.endsTracking {
                let recipient = try RecipientID("\(state.rawValue)@people.example")
                let request = try await storage.request(recipient, at: .noon)
                try await storage.press(.given, on: request, at: .noon)
                try await storage.record(state, for: recipient, occurredAt: .noon + -1000, at: .noon + 1)
                let answered = try await storage.press(.refused, on: request, at: .noon + 2)
                #expect(answered.verdict == .records(.refused), "\(state)")
                let status = try await storage.status(of: recipient, at: .noon + 2)
                #expect(status == .inForce(try #require(answered.record).inForce), "\(state)")
            }
        },
        Promise("while the yes of an older request is in force, a no on its page is recorded, and a yes is not") {
            storage in
            let older = try await storage.request(.ana, at: .noon)
            try await storage.press(.given, on: older, at: .noon)
            let newer = try await storage.request(.ana, at: .noon + 1)
            #expect(
                try await storage.press(.given, on: older, at: .noon + 2).verdict == .changesNothing(.newerRequest))
            let no = try await storage.press(.refused, on: older, at: .noon + 3)
            #expect(no.verdict == .records(.refused))
            #expect(
                try await storage.status(of: .ana, at: .noon + 3) == .inForce(try #require(no.record).inForce))
            for (request, answer) in [(older, ConsentAnswer.given), (older, .refused), (newer, .given)] {
                let answered = try await storage.press(answer, on: request, at: .noon + 4)
                #expect(answered.record == nil, "\(answer)")
            }
        },
    ]

    private enum Event: CaseIterable, Sendable {
        case askFirst, askSecond, yesToFirst, noToFirst, yesToSecond, withdrawElsewhere, agreeElsewhere
    }

    /// What a model of the rule says of the events so far.
    private struct Model {
        private enum Happened {
            case asked(Int, at: Timestamp)
            case said(ConsentState, on: Int?, at: Timestamp)
        }

        private var past: [Happened] = []

        mutating func ask(_ request: Int, at now: Timestamp) { past.append(.asked(request, at: now)) }

        mutating func elsewhere(_ state: ConsentState, at time: Timestamp) {
            past.append(.said(state, on: nil, at: time))
        }

        mutating func press(_ answer: ConsentAnswer, on request: Int, at now: Timestamp) -> AnswerVerdict {
            // What happened since the request itself last said something.
            var (own, since, isClosed, hasNewer) = (ConsentState?.none, Timestamp.noon, false, false)
            for event in past {
                switch event {
                case .asked(let asked, let time) where asked == request:
                    (since, isClosed, hasNewer) = (time, false, false)
                case .asked: hasNewer = true
                case .said(let state, let asked, let time) where asked == request:
                    (own, since, isClosed) = (state, time, false)
                case .said(let state, _, let time):
                    if time >= since || state != .given && own != .given { isClosed = true }
                }
            }
            if isClosed { return .changesNothing(.laterAnswer) }
            if hasNewer, answer == .given || own != .given { return .changesNothing(.newerRequest) }
            if own == answer.state { return .changesNothing(.repeated) }
            past.append(.said(answer.state, on: request, at: now))
            return .records(answer.state)
        }
    }

    private static func checkOrders(
        in storage: StorageUnderTest, _ time: @escaping @Sendable (Int) -> Timestamp
    ) async throws {
        // A press before its question is no event.
        let orders = Event.allCases.orders.filter { order in
            order.isSorted([.askFirst, .yesToFirst]) && order.isSorted([.askFirst, .noToFirst])
                && order.isSorted([.askSecond, .yesToSecond])
        }
        try await orders.concurrently { order, recipient in
            var (model, requests) = (Model(), [Int: ConsentRequest]())
            for (place, event) in order.enumerated() {
                let now = time(place)
                switch event {
                case .askFirst, .askSecond:
                    let request = event == .askFirst ? 1 : 2
                    model.ask(request, at: now)
                    requests[request] = try await storage.request(recipient, at: now)
                case .withdrawElsewhere:
                    model.elsewhere(.withdrawn, at: now)
                    try await storage.record(.withdrawn, for: recipient, at: now)
                case .agreeElsewhere:
                    model.elsewhere(.given, at: .noon + 200)
                    // Told by a clock that is ahead: by its own time it is later than anything here.
                    try await storage.record(.given, for: recipient, occurredAt: .noon + 200, at: .noon + 200)
                case .yesToFirst, .noToFirst, .yesToSecond:
                    let (request, answer) = (
                        event == .yesToSecond ? 2 : 1, event == .noToFirst ? ConsentAnswer.refused : .given
                    )
                    let expected = model.press(answer, on: request, at: now)
                    let asked = try #require(requests[request])
                    let before = try await storage.consents.history(of: recipient, in: storage.acme)
                    let answered = try await storage.press(answer, on: asked, at: now)
                    try #require(answered.verdict == expected, "\(order), at \(event)")
                    let after = try await storage.consents.history(of: recipient, in: storage.acme)
                    try #require(after == before + [answered.record].compactMap(\.self), "\(order), at \(event)")
                }
            }
        }
    }

    private enum Confirming: CaseIterable, Sendable {
        case yes, confirm, no, noOnSecondPage, withdrawElsewhere, yesAgain
    }

    private static func checkConfirmation(
        _ order: [Confirming], of recipient: RecipientID, in storage: StorageUnderTest
    ) async throws {
        let request = try await storage.request(recipient, needsConfirmation: true, at: .noon)
        var mayBeGiven = false
        for (place, event) in order.enumerated() {
            let now = .noon + Int64(place)
            switch event {
            case .yes, .yesAgain: try await storage.press(.given, on: request, at: now)
            case .confirm:
                mayBeGiven = true
                try await storage.press(.given, on: request, .confirmation, at: now)
            case .no:
                mayBeGiven = false
                try await storage.press(.refused, on: request, at: now)
            case .noOnSecondPage:
                let answered = try await storage.press(.refused, on: request, .confirmation, at: now)
                if answered.record != nil { mayBeGiven = false }
            case .withdrawElsewhere:
                mayBeGiven = false
                try await storage.record(.withdrawn, for: recipient, at: now)
            }
            let status = try await storage.status(of: recipient, at: now)
            if case .inForce(let consent) = status, consent.state == .given {
                try #require(mayBeGiven, "\(order), at \(event)")
            }
        }
    }
}

extension Array {
    /// Its elements in every order.
    fileprivate var orders: [[Element]] {
        guard let first else { return [[]] }
        return Array(dropFirst()).orders.flatMap { rest in
            (0...rest.count).map { place in
                var order = rest
                order.insert(first, at: place)
                return order
            }
        }
    }
}

extension Array where Element: Equatable {
    /// Whether these elements stand in it in this order.
    fileprivate func isSorted(_ elements: [Element]) -> Bool {
        let places = elements.compactMap(firstIndex(of:))
        return places == places.sorted()
    }
}

extension Array where Element: Sendable {
    /// Checks each, on a recipient of its own, many at once.
    fileprivate func concurrently(_ check: @escaping @Sendable (Element, RecipientID) async throws -> Void) async throws
    {
        try await withThrowingTaskGroup { group in
            for (number, element) in enumerated() {
                group.addTask { try await check(element, RecipientID("person-\(number)@people.example")) }
            }
            try await group.waitForAll()
        }
    }
}
