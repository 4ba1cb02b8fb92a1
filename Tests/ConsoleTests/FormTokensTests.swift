import Cryptography
import Identifiers
import TestSupport
import Testing

@testable import Console

@Suite struct FormTokensTests {
    private let forms: FormTokens
    private let holder: SessionToken
    private let other: SessionToken
    private let token: String

    init() throws {
        forms = try FormTokens(erasureKey: SecretBytes(Array(repeating: 1, count: 32)))
        var generator = SeededGenerator(seed: 1)
        holder = SessionToken(using: &generator)
        other = SessionToken(using: &generator)
        token = try forms.make(for: "/sessions/end", holder: holder, at: .noon, using: &generator)
    }

    @Test("the form of this browser, for this address, counts once")
    func once() {
        #expect(forms.take(token, for: "/sessions/end", holder: holder, at: .noon + 1) == .fresh)
        #expect(forms.take(token, for: "/sessions/end", holder: holder, at: .noon + 2) == .sentBefore)
    }

    @Test("a form that was sent is remembered for as long as it could count")
    func remembered() throws {
        var generator = SeededGenerator(seed: 2)
        #expect(forms.take(token, for: "/sessions/end", holder: holder, at: .noon) == .fresh)
        for minute in stride(from: Int64(1), to: 30, by: 1) {
            let time = Timestamp.noon + minute * 60_000
            let next = try forms.make(for: "/x", holder: holder, at: time, using: &generator)
            #expect(forms.take(next, for: "/x", holder: holder, at: time) == .fresh)
            #expect(forms.take(token, for: "/sessions/end", holder: holder, at: time) == .sentBefore)
        }
    }

    @Test("a form that had no effect and was given back counts once more")
    func givenBack() {
        #expect(forms.take(token, for: "/sessions/end", holder: holder, at: .noon) == .fresh)
        forms.giveBack("x")
        #expect(forms.take(token, for: "/sessions/end", holder: holder, at: .noon) == .sentBefore)
        forms.giveBack(token)
        #expect(forms.take(token, for: "/sessions/end", holder: holder, at: .noon) == .fresh)
        #expect(forms.take(token, for: "/sessions/end", holder: holder, at: .noon) == .sentBefore)
    }

    @Test("another browser, another address, an old form, and none")
    func refused() {
        #expect(forms.take(token, for: "/sessions/end", holder: other, at: .noon) == .wrong)
        #expect(forms.take(token, for: "/sessions/end-all", holder: holder, at: .noon) == .wrong)
        #expect(forms.take(token, for: "/sessions/end", holder: holder, at: .noon + FormTokens.lifetime) == .expired)
        #expect(forms.take(nil, for: "/sessions/end", holder: holder, at: .noon) == .missing)
        #expect(forms.take("", for: "/sessions/end", holder: holder, at: .noon) == .wrong)
    }

    @Test("times at the ends of their range, and of a clock that was ahead")
    func extremes() throws {
        var generator = SeededGenerator(seed: 3)
        let cases: [(Timestamp, FormTokens.Verdict)] = [
            (.distantPast, .expired), (.distantFuture, .expired), (.noon + 60_000, .fresh), (.noon + 60_001, .expired),
        ]
        for (time, verdict) in cases {
            let token = try forms.make(for: "/x", holder: holder, at: time, using: &generator)
            #expect(forms.take(token, for: "/x", holder: holder, at: .noon) == verdict)
        }
    }

    @Test("a form that a browser made by itself")
    func selfMade() throws {
        var generator = SeededGenerator(seed: 4)
        let another = try FormTokens(erasureKey: SecretBytes(Array(repeating: 2, count: 32)))
        let token = try another.make(for: "/x", holder: holder, at: .noon, using: &generator)
        #expect(forms.take(token, for: "/x", holder: holder, at: .noon) == .wrong)
    }

    @Test("whatever byte of it is changed")
    func flipped() throws {
        let bytes = try Base64URL.decode(token)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let verdict = forms.take(Base64URL.encode(changed), for: "/sessions/end", holder: holder, at: .noon)
            #expect(verdict == .wrong)
        }
    }
}
