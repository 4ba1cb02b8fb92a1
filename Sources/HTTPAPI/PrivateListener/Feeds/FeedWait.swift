import Identifiers
import JSON
import UseCases

/// How long a request waits for more items of a feed if there are none yet: whole seconds.
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
    /// Like ``first(within:in:_:)``, for a call whose key may be deleted while it waits.
    ///
    /// - Throws: ``RequestRefusal/keyDeleted`` if the key was deleted: new items are then not returned.
    func first<Answer>(
        within wait: FeedWait, for call: AuthenticatedRequest, _ ask: () async throws -> Answer?
    ) async throws -> Answer? {
        let answer = try await first(within: wait.duration, in: try call.organization, ask)
        // Checked after the read, so that the items were read with a key that still existed.
        if wait.duration > .zero { try await call.validity.check() }
        return answer
    }
}

struct FeedWaitError: Error, CustomStringConvertible {
    var description: String {
        "must be an integer from \(FeedWatch.allowedWait.lowerBound) to \(FeedWatch.allowedWait.upperBound)"
    }
}
