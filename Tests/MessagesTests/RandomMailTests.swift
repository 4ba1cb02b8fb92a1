import Foundation
import Messages
import Testing

/// What holds for every mail, however it is written.
@Suite struct RandomMailTests {
    /// 5,000, or as many as somebody asks for who has the time.
    private static let count = ProcessInfo.processInfo.environment["RANDOM_MAILS"].flatMap { Int($0) } ?? 5000

    @Test("nothing changes but the marks that opt out, and for the tracked the URLs of links")
    func html() throws {
        var mails = RandomMail(seed: 1)
        var rewritten = 0
        var refused = 0
        for _ in 0..<Self.count {
            let html = mails.html()
            do {
                let mail = try Mail(html, .html)
                #expect(
                    Self.unmarked(mail.untracked.utf8) == Self.unmarked(html.utf8), "\(html.debugDescription)")
                rewritten += try Self.check(mail, html, .html)
            } catch BodyError.undecidable, BodyError.undecidableScript, BodyError.undecidableSelect {
                refused += 1
            }
        }
        #expect(rewritten > Self.count / 2, "mails have links")
        #expect(refused < Self.count / 4, "most are taken")
    }

    @Test("in a text, too; and what opts out loses its mark and nothing else")
    func text() throws {
        var mails = RandomMail(seed: 2)
        var rewritten = 0
        for _ in 0..<Self.count {
            let text = mails.text()
            let mail = try Mail(text, .text)
            let marks = mail.body.links.count { $0.skipped == "optedOut" }
            #expect(text.utf8.count - mail.untracked.utf8.count == marks * "+notrack".utf8.count)
            #expect(mail.untracked.replacing("+notrack", with: "") == text.replacing("+notrack", with: ""))
            rewritten += try Self.check(mail, text, .text)
        }
        #expect(rewritten > Self.count / 2, "texts have links")
    }

    @Test("a drawing whose shapes are closed takes nothing away from the mail behind it")
    func drawings() throws {
        var mails = RandomMail(seed: 5)
        for _ in 0..<Self.count / 10 {
            let html = "<p>\(mails.drawing())<a href='https://shop.example/'>x</a>\(mails.drawing())<style><b></style>"
            #expect(try Self.check(Mail(html, .html), html, .html) == 1, "\(html.debugDescription)")
        }
    }

    /// - Returns: how many links are rewritten.
    private static func check(_ mail: Mail, _ source: String, _ place: BodyLink.Part) throws -> Int {
        let bytes = Array(source.utf8)
        var expected: [UInt8] = []
        var start = 0
        for link in mail.body.links {
            #expect(link.range.lowerBound >= start || link.range.isEmpty, "\(source.debugDescription)")
            guard let index = mail.index(link) else {
                guard link.skipped == "optedOut" else { continue }
                expected += bytes[start..<link.range.lowerBound]
                expected += place == .text ? Array(link.url.utf8) : unmarked(bytes[link.range])
                start = link.range.upperBound
                continue
            }
            expected += bytes[start..<link.range.lowerBound]
            expected += "\(Mail.origin)/r/(\(index))".utf8
            start = link.range.upperBound
        }
        expected += bytes[start...]
        let tracked = try mail.tracked()
        #expect(Array(tracked.utf8) == expected, "\(source.debugDescription)")
        // Behind a quote or white space, the rest of a placeholder is outside the URL.
        for case let target? in mail.body.links.map(\.target) {
            #expect(!target.text.contains("[["))
            #expect(!target.text.lowercased().contains("%7b%7b"))
        }
        try checkAgain(mail, tracked, place)
        return mail.body.links.count { $0.target != nil }
    }

    private static func unmarked(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let text = String(decoding: Array(bytes), as: UTF8.self)
        return Array(text.replacing(/(https?)\+notrack:\/\//.ignoresCase()) { "\($0.output.1)://" }.utf8)
    }

    /// What was rewritten is found again where it was, with everything that was left alone.
    private static func checkAgain(_ mail: Mail, _ tracked: String, _ place: BodyLink.Part) throws {
        let again = try Mail(tracked, place).body.links
        #expect(again.count == mail.body.links.count, "\(tracked.debugDescription)")
        for (before, after) in zip(mail.body.links, again) {
            if let index = mail.index(before) {
                #expect(after.url == "\(origin)/r/(\(index))", "\(tracked.debugDescription)")
                #expect(after.verdict == .skipped(.notATarget(.ownOrigin)))
            } else if before.skipped != "optedOut" {
                #expect(after.url == before.url)
                #expect(after.verdict == before.verdict)
            }
        }
    }

    private static let origin = Mail.origin
}
