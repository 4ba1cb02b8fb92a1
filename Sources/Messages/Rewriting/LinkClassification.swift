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

    /// Whether it has `$NAME$`, a name of capitals, digits and `_`.
    ///
    /// URLs have dollar signs around names, too: a program's own names (`Map$Map1$.html`, `a$B$c`), hashes
    /// (`$2Y$10`), and presets of picture servers, which are a whole parameter of the query (`?$LARGE$&fmt=jpg`).
    private static func holdsNameBetweenDollars(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let dollar = UInt8(ascii: "$")
        var opening = bytes.firstIndex(of: dollar, in: 0..<bytes.count)
        while opening < bytes.count {
            var closing = opening + 1
            var hasLetter = false
            while closing < bytes.count, bytes[closing].isOfMergeFieldName {
                hasLetter = hasLetter || bytes[closing].isLetter
                closing += 1
            }
            if hasLetter, closing < bytes.count, bytes[closing] == dollar,
                isMergeField(
                    named: bytes[(opening + 1)..<closing], before: opening > 0 ? bytes[opening - 1] : nil,
                    behind: bytes[(closing + 1)...].first)
            {
                return true
            }
            opening = bytes.firstIndex(of: dollar, in: closing..<bytes.count)
        }
        return false
    }

    /// Whether a name between dollar signs is neither a part of a longer name nor a whole parameter of the query.
    ///
    /// A merge field may stand directly at other characters of the URL (`/u$CUSTOMER_ID$`). A link that has one and is
    /// tracked leads nowhere; a link that has none and stays raw only lacks its clicks. So there, a name of two
    /// characters or more that begins with a letter is a merge field.
    private static func isMergeField(
        named name: Slice<UnsafeBufferPointer<UInt8>>, before: UInt8?, behind: UInt8?
    ) -> Bool {
        if before?.isLetterOrDigit == true || behind?.isLetterOrDigit == true {
            return name.count > 1 && name.first?.isLetter == true
        }
        let beginsParameter = before == UInt8(ascii: "?") || before == UInt8(ascii: "&")
        let endsParameter = behind == nil || behind == UInt8(ascii: "&") || behind == UInt8(ascii: "#")
        return !(beginsParameter && endsParameter)
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

extension UInt8 {
    fileprivate var isOfMergeFieldName: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || isDigit || self == UInt8(ascii: "_")
    }
}
