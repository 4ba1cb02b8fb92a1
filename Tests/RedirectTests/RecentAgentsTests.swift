import Interactions
import Testing

@testable import Redirect

@Suite struct RecentAgentsTests {
    private let agents = RecentAgents()

    private func expect(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(agents.meaning(of: bytes.span) == AgentMeaning(userAgent: bytes.span), "\(text)")
    }

    @Test("user agents of all lengths mean the same the first time and again")
    func lengths() {
        for length in 0...600 {
            for start in ["", "curl/8.5.0 ", "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0"] {
                let text = String((start + String(repeating: "x", count: length)).prefix(length))
                for _ in 1...2 { expect(text) }
            }
        }
    }

    @Test("a user agent that differs from a remembered one in any one byte has its own meaning")
    func places() {
        let remembered = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0"
        let word = "Googlebot/2.1"
        expect(remembered)
        for place in 0...(remembered.utf8.count - word.utf8.count) {
            let text = remembered.prefix(place) + word + remembered.dropFirst(place + word.utf8.count)
            expect(remembered)
            expect(String(text))
        }
    }

    @Test("a long user agent, at whatever place, changes nothing that is remembered of another one")
    func long() {
        let remembered = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
        let word = "curl/8."
        for length in 240...260 {
            for number in 1...300 {
                // The number stands where the place is told from.
                let start = "Mozilla/5.0 (X11; Linux) \(String(repeating: "x", count: 38))\(number) "
                expect(remembered)
                expect(start + String(repeating: "x", count: length - start.utf8.count - word.utf8.count) + word)
                expect(word + remembered.dropFirst(word.utf8.count))
            }
        }
    }

    @Test("more user agents than there are places, of persons and of machines")
    func many() {
        for round in 1...2 {
            for number in 1...1_000 {
                expect("Mozilla/5.0 (iPhone; CPU iPhone OS \(number % 100)_\(round)) Version/\(number)")
                expect("python-requests/\(number)")
            }
        }
    }
}
