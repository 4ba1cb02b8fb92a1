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

struct FeedWaitError: Error, CustomStringConvertible {
    var description: String {
        "must be an integer from \(FeedWatch.allowedWait.lowerBound) to \(FeedWatch.allowedWait.upperBound)"
    }
}
