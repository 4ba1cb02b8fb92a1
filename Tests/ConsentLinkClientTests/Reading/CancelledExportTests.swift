import StubService
import Testing

@testable import ConsentLinkClient

/// The body of an answer ends without an error when its reader is cancelled before it reads on.
@Suite struct CancelledExportTests {
    @Test("who is cancelled between two lines, or two pieces, is not told that this was all")
    func cancelled() async throws {
        var plan = LineService.Plan()
        plan.greeting = FeedTests.interaction(1) + "\n"
        plan.isSilent = true
        try await LineService.with(plan) { _, base in
            let acme = try OrganizationAPI.quick(base)
            let lines = Task {
                var export = try acme.exportInteractions().makeAsyncIterator()
                same(try await export.next()?.id, "1")
                withUnsafeCurrentTask { $0?.cancel() }
                do {
                    _ = try await export.next()
                    Issue.record("it ends, or goes on")
                } catch is CancellationError {}
            }
            try await lines.value
            let pieces = Task {
                var export = try acme.exportAudit().makeAsyncIterator()
                same(try await export.next() == nil, false)
                withUnsafeCurrentTask { $0?.cancel() }
                do {
                    _ = try await export.next()
                    Issue.record("it ends, or goes on")
                } catch is CancellationError {}
            }
            try await pieces.value
        }
    }
}
