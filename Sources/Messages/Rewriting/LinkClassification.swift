import ASCII

/// Judges the URL of a link in any place.
struct LinkClassification {
    /// Makes a target of a URL, under the rules for the message.
    let target: (String) throws(TargetURLError) -> TargetURL
    /// The known verdicts on URLs under the same rules.
    var cache: LinkVerdictCache?

    func verdict(on url: String) -> BodyLink.Verdict {
        cache?.verdict(on: url, judge: judge) ?? judge(url)
    }

    private func judge(_ url: String) -> BodyLink.Verdict {
        if Self.holdsPlaceholder(url) { return .skipped(.placeholder) }
        if url.isEmpty || url.utf8.first == UInt8(ascii: "#") { return .skipped(.fragment) }
        guard let scheme = Self.scheme(of: url) else { return .skipped(.relative) }
        guard scheme == "http" || scheme == "https" else {
            do throws(TargetURLError) {
                _ = try target(url)
            } catch .refusedScheme {
                return .skipped(.notATarget(.refusedScheme))
            } catch {}
            return .skipped(.otherScheme)
        }
        do throws(TargetURLError) {
            return .rewritten(try target(url))
        } catch {
            return .skipped(.notATarget(error))
        }
    }

    /// The placeholders of mail systems, by how they begin and end, in lower case: as they are written, and as editors
    /// percent-encode them. `%25%25` and `%5B%5B` are not among them, because URLs have them, too.
    ///
    /// A URL ends at a quote or white space inside the placeholder, and then has only its beginning. Where `end` is
    /// `nil`, the beginning is enough; the others have characters there that no target has, or that many URLs have.
    private static let placeholders: [(begin: StaticString, end: StaticString?)] = [
        ("{{", "}}"), ("{%", "%}"), ("%%", "%%"), ("*|", "|*"), ("<%", "%>"), ("[[", nil),
        ("<<", ">>"), ("${", "}"), ("#{", "}"), ("@{", "}"),
        ("%7b%7b", nil), ("%7b%25", nil), ("*%7c", "%7c*"), ("%2a%7c", "%7c%2a"), ("%3c%25", nil),
        ("%3c%3c", "%3e%3e"), ("$%7b", "%7d"), ("%24%7b", "%7d"),
    ]

    private static func holdsPlaceholder(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.contains(where: Self.beginsPlaceholder) else { return false }
            return holdsNameBetweenDollars(bytes)
                || placeholders.contains { begin, end in
                    guard let start = bytes.firstIndex(of: begin, from: 0) else { return false }
                    guard let end else { return true }
                    return bytes.firstIndex(of: end, from: start + begin.utf8CodeUnitCount) != nil
                }
        }
    }

    private static func beginsPlaceholder(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "%"), UInt8(ascii: "*"), UInt8(ascii: "<"), UInt8(ascii: "["),
            UInt8(ascii: "$"):
            true
        default: false
        }
    }

    /// Whether it has `$NAME$`. A dollar sign before a name is in many URLs (`?$top=5`), one on each side in none.
    private static func holdsNameBetweenDollars(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let dollar = UInt8(ascii: "$")
        var start = bytes.firstIndex(of: dollar, in: 0..<bytes.count) + 1
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end].isLetterOrDigit || bytes[end] == UInt8(ascii: "_") { end += 1 }
            if end > start, end < bytes.count, bytes[end] == dollar, !bytes[start].isDigit { return true }
            start = bytes.firstIndex(of: dollar, in: end..<bytes.count) + 1
        }
        return false
    }

    /// The scheme in lower case; `nil` if there is none (RFC 3986, 3.1).
    private static func scheme(of url: String) -> String? {
        let scheme = url.utf8.prefix { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
        guard let first = scheme.first, first.isLetter, scheme.endIndex < url.utf8.endIndex,
            url.utf8[scheme.endIndex] == UInt8(ascii: ":")
        else { return nil }
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }
}
