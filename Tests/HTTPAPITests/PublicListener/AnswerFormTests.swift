import Consent
import Identifiers
import TestSupport
import Testing

@testable import HTTPAPI

@Suite struct AnswerFormTests {
    @Test("what the page's form sends is read, in either order of its members")
    func genuine() throws {
        for answer in ConsentAnswer.allCases {
            for body in ["purpose=a.b-1&answer=\(answer.rawValue)", "answer=\(answer.rawValue)&purpose=a.b-1"] {
                let form = try #require(AnswerForm(Array(body.utf8)))
                #expect(form.answer == answer)
                #expect(form.purpose == (try Purpose("a.b-1")))
            }
        }
    }

    @Test("random bytes are no answer")
    func random() {
        var generator = SeededGenerator(seed: 3)
        let genuine = Array("purpose=tracking&answer=given".utf8)
        for _ in 0..<5000 {
            var body = genuine
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                body[Int.random(in: body.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if let form = AnswerForm(body) {
                #expect(form.answer == .given && form.purpose.description.utf8.count == 8)
            }
        }
    }
}
