import Testing
import UnixSignals

@testable import Service

@Suite struct ProcessSignalsTests {
    private let log = CapturedLog()

    @Test(
        "a signal ends a start, stops or reloads a service that runs, or is ignored; none ends it by accident",
        arguments: [
            (.sigterm, .end, .request(.stop)), (.sigint, .end, .request(.stop)),
            (.sighup, .request(.reload), .request(.reload)), (.sigusr2, .request(.reload), .request(.reload)),
            (.sigusr1, .ignored, .ignored), (.sigalrm, .ignored, .ignored),
        ] as [(UnixSignal, ProcessSignals.Answer, ProcessSignals.Answer)])
    func answers(_ signal: UnixSignal, _ starting: ProcessSignals.Answer, _ serving: ProcessSignals.Answer) {
        #expect(ProcessSignals.answer(to: signal, isServing: false) == starting)
        #expect(ProcessSignals.answer(to: signal, isServing: true) == serving)
    }

    @Test("what is asked for during the start is done after it, in order")
    func requests() async {
        let signals = ProcessSignals(logger: log.logger)
        signals.handle(.sighup)
        signals.beginServing()
        #expect(!signals.isStopAsked)
        signals.handle(.sigterm)
        #expect(signals.isStopAsked)
        var requests = signals.requests.makeAsyncIterator()
        #expect(await requests.next() == .reload)
        #expect(await requests.next() == .stop)
        #expect(log.lines.isEmpty)
    }

    @Test("a signal that means nothing is told by its name")
    func ignored() {
        let signals = ProcessSignals(logger: log.logger)
        signals.handle(.sigusr1)
        signals.handle(.sigalrm)
        #expect(log.lines.map { $0.metadata["signal"] } == ["SIGUSR1", "SIGALRM"])
        #expect(!signals.isStopAsked)
    }
}
