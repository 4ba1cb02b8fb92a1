import HTTPConnections
import Testing

@testable import Redirect

/// Reports of devices in the state machine alone.
@Suite struct ReportStateMachineTests {
    private static let stories: [Story] = [
        Story(
            "a report is answered at once, or when what it waits for has come",
            (.report, ["take", "answer"]), (.waitingReport, ["take"]), (.reportAnswered, ["answer"]),
            (.report, ["take", "answer"])),
        Story(
            "one report comes after the other",
            (.waitingReport, ["take"]), (.report, ["wait for its turn"]), (.reportAnswered, ["answer"]),
            (.report, ["take", "answer"])),
        Story(
            "a report comes after the clicks before it",
            (.plain(.click), ["spool"]), (.plain(.click), []), (.report, ["wait for its turn"]),
            (.spoolAnswers, ["answer", "spool"]), (.report, ["wait for its turn"]), (.spoolAnswers, ["answer"]),
            (.report, ["take", "answer"])),
        Story(
            "a click comes after the report before it",
            (.waitingReport, ["take"]), (.plain(.memory), []), (.reportAnswered, ["answer", "answer"])),
        Story(
            "a report that is left is the router's, and the connection goes on",
            (.waitingReport, ["take"]), (.reportLeft, []), (.routerAdded, []),
            (.get("/b"), ["forward /b", "forward the end"]), (.routerAnswers, []),
            (.get("/r/memory"), ["open GET /r/memory", "answer"])),
        Story(
            "a report whose rest is missing is taken when it is there",
            (.reportHeader, []), (.reportHeader, []), (.report, ["take", "answer"])),
        Story(
            "a report whose rest is not plain is the router's",
            (.reportHeader, []), (.routerAdded, []), (.get("/b"), ["forward /b", "forward the end"])),
        Story(
            "no more is read while the reader has something that waits",
            (.waitingReport, ["take"]), (.readRequested, ["read"]), (.readerWaits(true), []),
            (.readRequested, ["hold the read"]), (.readerWaits(false), []), (.reportAnswered, ["answer", "read"])),
        Story(
            "the end of input waits for a report's answer",
            (.waitingReport, ["take"]), (.inputClosed, []), (.reportAnswered, ["answer", "close"])),
        Story(
            "a service that leaves ends the connection with a report's answer",
            (.waitingReport, ["take"]), (.leaving, []), (.reportAnswered, ["last answer"]),
            (.report, ["wait for its turn"])),
        Story(
            "a stop ends a connection within the body of a report when that is answered",
            (.reportHeader, []), (.stop, []), (.waitingReport, ["take"]), (.reportAnswered, ["last answer"])),
        Story(
            "nothing is answered once the connection is gone",
            (.waitingReport, ["take"]), (.gone, []), (.reportAnswered, ["ignore"]), (.reportLeft, ["ignore"]),
            (.reportHeader, []), (.report, ["wait for its turn"])),
    ]

    @Test("reports keep to the order of requests, and end with their connection", arguments: stories)
    func order(_ story: Story) throws {
        var rehearsal = RedirectRehearsal()
        for (number, (event, expected)) in story.steps.enumerated() {
            let actions = try rehearsal.when(event)
            #expect(actions == expected, "step \(number + 1), \(event)")
        }
    }

    @Test("what is under way with a report is what the registry needs to know")
    func stages() throws {
        var machine = RedirectStateMachine()
        #expect(machine.stage == .idle)
        machine.collectReport()
        #expect(machine.stage == .receiving)
        let isTaken = machine.takeTurn()
        #expect(isTaken && machine.stage == .owing)
        machine.waitInTurn()
        #expect(machine.stage == .owing)
        let isThere = machine.resumeTurn()
        #expect(isThere)
        machine.leaveTurn()
        #expect(machine.stage == .idle)
    }
}
