import StubService
import Testing

@testable import ConsentLinkClient

@Suite struct TimeLimitTests {
    @Test(
        "a length that NIO has no number for is the nearest it has one for",
        arguments: [
            (Duration.zero, 0), (.milliseconds(1), 1_000_000), (.seconds(-1), -1_000_000_000),
            (.nanoseconds(Int64.max), .max), (.nanoseconds(Int64.min), .min), (.seconds(9_223_372_037), .max),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), .min), (.seconds(Int64.max) * 10, .max),
        ] as [(Duration, Int64)])
    func nanoseconds(_ duration: Duration, _ nanoseconds: Int64) { #expect(duration.wholeNanoseconds == nanoseconds) }

    @Test(
        "patience without an end is taken as it is",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 10])
    func endless(_ patience: Duration) async throws {
        let made = #"{"folder":"f","startedAt":"\#(time)","finishedAt":"\#(time)","includesDatabase":true,"files":[]}"#
        try await StubServer.with({ _, _ in .json(made) }) { server in
            let backup = try await ConsentLinkAPI.quick(server.base).backUp(within: patience)
            #expect(backup.folder == "f")
        }
        try await LineService.with { _, base in
            var count = 0
            let order = PayloadOrder(.stored("m"), format: .plain)
            for try await _ in try OrganizationAPI.quick(base).compose(order, forEach: ["ana"], patience: patience) {
                count += 1
            }
            #expect(count == 1)
        }
    }

    @Test("a pause without an end is made until it is cancelled")
    func endlessPause() async throws {
        let api = try ConsentLinkAPI("http://127.0.0.1:1", key: "k")
        let pausing = Task { try await api.transport.pause(.seconds(Int64.max)) }
        pausing.cancel()
        await #expect(throws: CancellationError.self) { try await pausing.value }
    }

    private let time = "2026-11-20T09:00:00.000Z"
}
