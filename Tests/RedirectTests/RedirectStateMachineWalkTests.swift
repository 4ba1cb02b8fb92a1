import Identifiers
import Messages
import NIOHTTP1
import TestSupport
import Testing
import TrackingIDs

@testable import Redirect

/// Whatever happens on a connection in whatever order: requests are answered once, in their order, and nothing after the
/// end.
@Suite struct RedirectStateMachineWalkTests {
    /// A machine between a client, a router, a store and a spool, which all do something at random.
    private struct Walk: ~Copyable {
        struct Failure: Error {}

        enum Source {
            case spool, store, report
        }

        private var machine = RedirectStateMachine()
        private var random: SeededGenerator
        private let redirect: PreparedRedirect
        /// The numbers of all whole requests that were sent before the end of input, in their order.
        private var sent: [Int] = []
        private(set) var answered: [Int] = []
        /// The requests that the router has and has not answered.
        private var forwarded: [Int] = []
        /// The request for a link whose answer depends on the spool or the store, or the report.
        private var awaited: (number: Int, source: Source)?
        private var hasRouter = false
        private var isReadHeld = false
        private var isInputOver = false
        private var isStopped = false
        /// Why nothing more is answered.
        private var isEnded = false
        /// A report that the reader keeps until it is its turn.
        private var kept: Int?

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            redirect = PreparedRedirect(to: try TargetURL(stored: StoredMessage.target))
        }

        mutating func step() throws {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<35: try send()
            case 35..<65: try complete()
            case 65..<80: try routerAnswers()
            case 80..<92: if !machine.readRequested() { isReadHeld = true }
            case 92..<97: addRouter()
            case 97: try end()
            default: break
            }
            try check()
        }

        /// The router, the store and the spool answer until nothing is owed.
        mutating func finish() throws {
            while awaited != nil || !forwarded.isEmpty {
                try complete()
                try routerAnswers()
                try check()
            }
            if !isEnded {
                #expect(answered == sent, "all are answered")
                #expect(!isReadHeld, "reading goes on")
                #expect(!isStopped, "a stop ends the connection")
            }
        }

        private func check() throws {
            try #require(answered == Array(sent.prefix(answered.count)))
            try #require(awaited == nil || forwarded.isEmpty, "a link waits for the router")
        }

        private mutating func send() throws {
            // A reader that keeps a report takes nothing else.
            guard !isInputOver, kept == nil else { return }
            let number = sent.count
            sent.append(number)
            if !hasRouter, Bool.random(using: &random) {
                if Bool.random(using: &random) { machine.collectReport() }
                takeReport(number)
            } else if !hasRouter {
                let id = TrackingID(
                    message: try .sample(UInt64(number + 1)), recipient: try .sample(), link: LinkIndex(rawValue: 1),
                    expiry: LinkExpiry(secondsSince1970: 1_811_030_400))
                let request = RedirectRequest()
                if machine.received(request, .opened(id)) { try follow(request, number) }
            } else {
                let path = Bool.random(using: &random) ? "/r/\(number)" : "/\(number)"
                machine.received(.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: path)))
                try act()
                machine.received(.end(nil))
                try act()
            }
        }

        private mutating func takeReport(_ number: Int) {
            guard machine.takeTurn() else {
                kept = number
                machine.isReaderWaiting = true
                return
            }
            kept = nil
            machine.isReaderWaiting = false
            guard Bool.random(using: &random) else { return answer(RedirectRequest(), number) }
            machine.waitInTurn()
            awaited = (number, .report)
        }

        private mutating func addRouter() {
            guard kept == nil else { return }
            hasRouter = true
            machine.routerTakesOver()
        }

        /// Something ends the connection.
        private mutating func end() throws {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                isStopped = true
                if machine.quiesce() { isEnded = true }
            // The reader tells the end of input behind what it keeps.
            case 1 where kept == nil:
                isInputOver = true
                if let followUp = machine.inputClosed() { note(followUp) }
            case 2 where hasRouter:
                isInputOver = true
                if machine.received(malformed: Failure()) { try act() }
            default:
                isEnded = true
                machine.connectionClosed()
            }
        }

        private mutating func complete() throws {
            guard let (number, source) = awaited else { return }
            awaited = nil
            let request =
                switch source {
                case .spool: machine.spooled()?.request
                case .store: machine.lookedUp()?.request
                case .report: machine.resumeTurn() ? RedirectRequest() : nil
                }
            guard let request else {
                #expect(isEnded)
                return
            }
            answer(request, number)
            try resume()
        }

        private mutating func routerAnswers() throws {
            guard !forwarded.isEmpty else { return }
            let number = forwarded.removeFirst()
            if !isEnded { answered.append(number) }
            machine.routerAnswered()
            try resume()
        }

        private mutating func act() throws {
            while let action = machine.next() {
                try #require(!isEnded, "nothing happens after the end")
                switch action {
                case .open(let head): try follow(RedirectRequest(head), Int(head.uri.dropFirst(3)) ?? -1)
                case .follow(let request, .opened(let id)): try follow(request, Int(id.message.rawValue) - 1)
                case .follow(_, .refused): Issue.record("every link that was sent is genuine")
                case .forward(.head(let head)): forwarded.append(Int(head.uri.dropFirst(1)) ?? -1)
                case .forward, .forwardError: break
                case .refuseMalformed, .close: isEnded = true
                }
            }
        }

        private mutating func follow(_ request: RedirectRequest, _ number: Int) throws {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: answer(request, number)
            case 1:
                machine.spool(request, redirect)
                awaited = (number, .spool)
            default:
                machine.lookUp(
                    request,
                    TrackingID(
                        message: try .sample(), recipient: try .sample(), link: LinkIndex(rawValue: 1),
                        expiry: LinkExpiry(secondsSince1970: 0)))
                awaited = (number, .store)
            }
        }

        private mutating func answer(_ request: RedirectRequest, _ number: Int) {
            #expect(!isEnded, "nothing is answered after the end")
            answered.append(number)
            if machine.answer(request, isLeaving: false) { isEnded = true }
        }

        private mutating func resume() throws {
            try act()
            if let kept, machine.followsAtOnce { takeReport(kept) }
            var count = 0
            while let followUp = machine.nextFollowUp() {
                count += 1
                try #require(count < 10, "there is an end to it")
                note(followUp)
            }
        }

        private mutating func note(_ followUp: RedirectStateMachine.FollowUp) {
            switch followUp {
            case .read: isReadHeld = false
            case .forwardInputClosed: break
            case .close: isEnded = true
            }
        }
    }

    @Test("each request is answered once, in its order, until the connection ends", arguments: 0..<20)
    func walks(_ tenth: Int) throws {
        var longest = 0
        for seed in 0..<50 {
            var walk = try Walk(seed: UInt64(tenth * 50 + seed))
            for _ in 0..<150 { try walk.step() }
            try walk.finish()
            longest = max(longest, walk.answered.count)
        }
        #expect(longest > 20, "connections live for a while")
    }
}
