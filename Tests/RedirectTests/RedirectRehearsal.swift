import Identifiers
import Messages
import NIOCore
import NIOHTTP1
import Testing
import TrackingIDs

@testable import Redirect

/// Drives a ``RedirectStateMachine`` as the handler does, without a channel, and notes what it is told to do.
struct RedirectRehearsal: ~Copyable {
    /// How the handler finds a link: it stands in the link's path, or in the index of its tracking ID.
    enum Link: String {
        /// Answered at once.
        case memory
        /// Answered when the spool has answered.
        case click
        /// Answered when the store has answered.
        case unknown
    }

    enum Event {
        /// A whole request for a link, from before the decoder.
        case plain(Link)
        /// The header of a device's report, and a whole report that is answered at once, or waits.
        case reportHeader, report, waitingReport
        /// The report that waits is answered, or is the router's.
        case reportAnswered, reportLeft
        /// The reader has something that waits for its turn, or no longer.
        case readerWaits(Bool)
        /// A whole request from the decoder, without a body.
        case get(String, HTTPHeaders = [:], version: HTTPVersion = .http1_1)
        case head(String, HTTPMethod = .GET, expect: String? = nil)
        case body(Int)
        case end
        case malformed
        case routerAdded, routerAnswers, spoolAnswers, storeAnswers
        case readRequested, inputClosed, stop, leaving, failure, gone
    }

    struct Failure: Error {}

    private(set) var machine = RedirectStateMachine()
    private var notes: [String] = []
    private var isLeaving = false

    /// What the machine asks for when `event` happens.
    mutating func when(_ event: Event) throws -> [String] {
        notes = []
        try perform(event)
        return notes
    }

    private mutating func perform(_ event: Event) throws {
        switch event {
        case .plain(let link):
            let (request, id) = (RedirectRequest(), try Self.id(link))
            if machine.received(request, .opened(id)) { try follow(request, link) }
        case .reportHeader: machine.collectReport()
        case .report:
            if takeTurn() { answer(RedirectRequest()) }
        case .waitingReport:
            if takeTurn() { machine.waitInTurn() }
        case .reportAnswered:
            guard machine.resumeTurn() else { return notes.append("ignore") }
            answer(RedirectRequest())
            try resume()
        case .reportLeft:
            guard machine.resumeTurn() else { return notes.append("ignore") }
            machine.leaveTurn()
            try resume()
        case .readerWaits(let isWaiting): machine.isReaderWaiting = isWaiting
        case .get(let path, let headers, let version):
            machine.received(.head(HTTPRequestHead(version: version, method: .GET, uri: path, headers: headers)))
            try performActions()
            machine.received(.end(nil))
            try performActions()
        case .head(let path, let method, let expect):
            let headers = HTTPHeaders(expect.map { [("Expect", $0)] } ?? [])
            machine.received(
                .head(HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)))
            try performActions()
        case .body(let size):
            machine.received(.body(ByteBuffer(repeating: 0, count: size)))
            try performActions()
        case .end:
            machine.received(.end(nil))
            try performActions()
        case .malformed:
            guard machine.received(malformed: Failure()) else { return }
            notes.append("count")
            try performActions()
        case .routerAdded: machine.routerTakesOver()
        case .routerAnswers:
            machine.routerAnswered()
            try resume()
        case .spoolAnswers:
            guard let (request, _) = machine.spooled() else { return notes.append("ignore") }
            answer(request)
            try resume()
        case .storeAnswers:
            guard let (request, _) = machine.lookedUp() else { return notes.append("ignore") }
            answer(request)
            try resume()
        case .readRequested: notes.append(machine.readRequested() ? "read" : "hold the read")
        case .inputClosed:
            if let followUp = machine.inputClosed() { note(followUp) }
        case .stop:
            if machine.quiesce() { notes.append("close") }
        case .leaving: isLeaving = true
        case .failure:
            if machine.failed() { notes.append("close") }
        case .gone: machine.connectionClosed()
        }
    }

    private mutating func takeTurn() -> Bool {
        let isTaken = machine.takeTurn()
        notes.append(isTaken ? "take" : "wait for its turn")
        return isTaken
    }

    private mutating func performActions() throws {
        while let action = machine.next() {
            switch action {
            case .open(let head):
                notes.append("open \(head.method) \(head.uri)")
                try follow(RedirectRequest(head), Link(rawValue: String(head.uri.dropFirst(3))) ?? .memory)
            case .follow(let request, let opening): try follow(request, Self.link(opening))
            case .forward(.head(let head)): notes.append("forward \(head.uri)")
            case .forward(.body(let bytes)): notes.append("forward \(bytes.readableBytes) bytes")
            case .forward(.end): notes.append("forward the end")
            case .forwardError: notes.append("forward the error")
            case .refuseMalformed: notes.append("400")
            case .close: notes.append("close")
            }
        }
    }

    private mutating func follow(_ request: RedirectRequest, _ link: Link) throws {
        switch link {
        case .memory: answer(request)
        case .click:
            notes.append("spool")
            machine.spool(request, PreparedRedirect(to: try TargetURL(stored: StoredMessage.target)))
        case .unknown:
            notes.append("look up")
            machine.lookUp(request, try Self.id(link))
        }
    }

    private mutating func answer(_ request: RedirectRequest) {
        notes.append(machine.answer(request, isLeaving: isLeaving) ? "last answer" : "answer")
    }

    private mutating func resume() throws {
        try performActions()
        while let followUp = machine.nextFollowUp() { note(followUp) }
    }

    private mutating func note(_ followUp: RedirectStateMachine.FollowUp) {
        switch followUp {
        case .read: notes.append("read")
        case .forwardInputClosed: notes.append("forward the end of input")
        case .close: notes.append("close")
        }
    }

    private static let links: [Link] = [.memory, .click, .unknown]

    private static func id(_ link: Link) throws -> TrackingID {
        TrackingID(
            message: try .sample(), recipient: try .sample(),
            link: LinkIndex(rawValue: UInt16(links.firstIndex(of: link) ?? 0)),
            expiry: LinkExpiry(secondsSince1970: 1_811_030_400))
    }

    private static func link(_ opening: LinkOpening) -> Link {
        guard case .opened(let id) = opening else { return .memory }
        return links[Int(id.link.rawValue)]
    }
}

/// A sentence, and the events and actions that show it.
struct Story: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: [(RedirectRehearsal.Event, [String])]

    init(_ sentence: String, _ steps: (RedirectRehearsal.Event, [String])...) {
        testDescription = sentence
        self.steps = steps
    }
}
