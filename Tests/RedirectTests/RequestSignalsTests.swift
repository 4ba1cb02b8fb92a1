import Interactions
import NIOHTTP1
import Testing

@testable import Redirect

@Suite struct RequestSignalsTests {
    private static let fields: [[(name: String, value: String)]] = [
        [], [("Sec-GPC", "1")], [("sec-gpc", " \t1\t ")], [("Sec-GPC", "0")], [("Sec-GPC", "1, 1")],
        [("Sec-GPC", "0"), ("Sec-GPC", "1")], [("Sec-Purpose", "prefetch;prerender")], [("Purpose", " Prefetch ")],
        [("X-Moz", "\tprefetch")], [("X-Purpose", "PREVIEW ")], [("X-Purpose", "prefetch")],
        [("User-Agent", "Mozilla/5.0")], [("User-Agent", " facebookexternalhit/1.1 ")],
        [("Accept", "text/html"), ("User-Agent", "Mozilla/5.0"), ("Sec-GPC", "1"), ("Purpose", "prefetch")],
    ]

    @Test("a link, a picture and a device's report are told the same by the same fields", arguments: fields)
    func oneReader(_ fields: [(name: String, value: String)]) {
        let headers = HTTPHeaders(fields.map { ($0.name, $0.value) })
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/r/x", headers: headers)
        #expect(RequestSignals(fields: fields) == RedirectRequest(head).signals)
    }

    @Test(
        "an objection stands and a prefetch is one, whatever other fields say before or after",
        arguments: [true, false])
    func severalFields(isFirst: Bool) {
        func signals(_ field: (name: String, value: String), _ other: (name: String, value: String)) -> RequestSignals {
            RequestSignals(fields: isFirst ? [field, other] : [other, field])
        }
        for value in ["0", "", "1, 1"] {
            #expect(signals(("Sec-GPC", "1"), ("Sec-GPC", value)).hasGlobalPrivacyControl, "\(value)")
        }
        for name in ["Purpose", "Sec-Purpose", "X-Moz"] {
            for other in ["Purpose", "Sec-Purpose", "X-Moz", "X-Purpose"] {
                #expect(signals((name, "prefetch"), (other, "navigate")).isPrefetch, "\(name), \(other)")
            }
        }
    }

    @Test("blanks around a value are none of it", arguments: ["1", " 1", "1 ", "\t1", "1\t", " \t 1 \t "])
    func blanks(_ value: String) {
        #expect(RequestSignals(fields: [("Sec-GPC", value)]).hasGlobalPrivacyControl)
        #expect(RequestSignals(fields: [("X-Moz", value.replacing("1", with: "prefetch"))]).isPrefetch)
        let agent = RequestSignals(fields: [("User-Agent", value.replacing("1", with: "Mozilla/5.0"))])
        #expect(agent.agent.opening == .appleMailPrivacy)
    }

    @Test("blanks within a value are")
    func blanksWithin() {
        #expect(!RequestSignals(fields: [("Sec-GPC", "1 1")]).hasGlobalPrivacyControl)
        #expect(!RequestSignals(fields: [("Sec-GPC", "")]).hasGlobalPrivacyControl)
        #expect(!RequestSignals(fields: [("Sec-GPC", " ")]).hasGlobalPrivacyControl)
    }
}
