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
        ("%7b%7b", nil), ("%7b%25", nil), ("*%7c", "%7c*"), ("%2a%7c", "%7c%2a"), ("%3c%25", nil),
    ]

    private static func holdsPlaceholder(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.contains(where: Self.beginsPlaceholder) else { return false }
            return placeholders.contains { begin, end in
                guard let start = bytes.firstIndex(of: begin, from: 0) else { return false }
                guard let end else { return true }
                return bytes.firstIndex(of: end, from: start + begin.utf8CodeUnitCount) != nil
            }
        }
    }

    private static func beginsPlaceholder(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "%"), UInt8(ascii: "*"), UInt8(ascii: "<"), UInt8(ascii: "["): true
        default: false
        }
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
