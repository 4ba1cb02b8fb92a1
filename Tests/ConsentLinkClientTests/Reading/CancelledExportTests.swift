import StubService
import Testing

@testable import ConsentLinkClient

/// The body of an answer ends without an error for a reader that was cancelled: at once, or behind the first error.
@Suite struct CancelledExportTests {
    /// Cancels its own task between two calls of `next`, and asks more than once.
    private func cancel<Export: AsyncIteratorProtocol>(_ export: Export) async throws {
        var export = export
        _ = try #require(try await export.next())
        withUnsafeCurrentTask { $0?.cancel() }
        for _ in 0..<3 {
            do {
                _ = try await export.next()
                Issue.record("it ends, or goes on")
            } catch is CancellationError {}
        }
    }

    @Test("who is cancelled between two lines, or two pieces, is never told that this was all")
    func cancelled() async throws {
        var plan = LineService.Plan()
        plan.greeting = FeedTests.interaction(1) + "\n"
        plan.isSilent = true
        try await LineService.with(plan) { _, base in
            let acme = try OrganizationAPI.quick(base)
            try await Task { try await cancel(try acme.exportInteractions().makeAsyncIterator()) }.value
            try await Task { try await cancel(try acme.exportAudit().makeAsyncIterator()) }.value
        }
    }
}
