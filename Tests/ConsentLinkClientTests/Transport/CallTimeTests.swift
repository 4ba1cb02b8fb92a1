import NIOHTTP1
import Testing

@testable import ConsentLinkClient

@Suite struct CallTimeTests {
    private static func time(_ limit: Duration?, wait: Duration = .zero) -> CallTime {
        var request = APIRequest(.GET, "/", patience: .seconds(60))
        request.wait = wait
        return CallTime(of: request, limit: limit)
    }

    @Test(
        "a try has the patience of its call, or what is left of the limit and of the wait asked for",
        arguments: [
            (nil, 0, 0, 60), (nil, 0, 500, 60), (nil, 30, 40, 60), (5, 0, 0, 5), (5, 0, 3, 2), (5, 0, 7, 0),
            (600, 0, 100, 500), (5, 30, 0, 35), (5, 30, 34, 1),
        ] as [(Int?, Int, Int, Int)])
    func patience(_ limit: Int?, _ wait: Int, _ elapsed: Int, _ patience: Int) {
        let time = Self.time(limit.map { .seconds($0) }, wait: .seconds(wait))
        #expect(time.patience(after: .seconds(elapsed)) == .seconds(patience))
    }

    @Test(
        "a try follows a pause that leaves it at least as much time",
        arguments: [
            (nil, 30, 1000, true), (10, 4, 0, true), (10, 5, 0, false), (10, 6, 0, false), (10, 4, 3, false),
            (10, 0, 9, true), (10, 0, 10, false), (10, 0, 11, false),
        ] as [(Int?, Int, Int, Bool)])
    func pause(_ limit: Int?, _ pause: Int, _ elapsed: Int, _ isAllowed: Bool) {
        let time = Self.time(limit.map { .seconds($0) })
        #expect(time.allows(.seconds(pause), after: .seconds(elapsed)) == isAllowed)
    }
}
