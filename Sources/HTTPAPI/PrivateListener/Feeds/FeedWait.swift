import Identifiers
import JSON
import UseCases

/// For how long a request waits for more of a feed when there is nothing yet: whole seconds.
struct FeedWait {
    static let none = FeedWait(seconds: 0)

    private let seconds: Int

    private init(seconds: Int) { self.seconds = seconds }

    init(_ text: String) throws(FeedWaitError) {
        guard let seconds = Int.parse(decimal: text), FeedWatch.allowedWait.contains(seconds) else {
            throw FeedWaitError()
        }
        self.seconds = seconds
    }

    var duration: Duration { .seconds(seconds) }

    static var shape: JSONShape<FeedWait> {
        JSONShape { value, pointer throws(BodyProblems) in
            FeedWait(seconds: try JSONShape<Int>.integer(in: FeedWatch.allowedWait).read(value, at: pointer))
        }
    }
}

extension FeedWatch {
    /// As ``first(within:in:_:)``, for a call whose key may be deleted while it waits.
    ///
    /// - Throws: ``RequestRefusal/keyDeleted`` when that happened: what came meanwhile is not answered.
    func first<Answer>(
        within wait: FeedWait, for call: AuthenticatedRequest, _ ask: () async throws -> Answer?
    ) async throws -> Answer? {
        let answer = try await first(within: wait.duration, in: try call.organization, ask)
        // Afterwards, so that what was read was read with a key that was still there.
        if wait.duration > .zero { try await call.access.check() }
        return answer
    }
}

struct FeedWaitError: Error, CustomStringConvertible {
    var description: String {
        "must be an integer from \(FeedWatch.allowedWait.lowerBound) to \(FeedWatch.allowedWait.upperBound)"
    }
}
