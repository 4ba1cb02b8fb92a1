import ASCII
import Consent
import Cryptography
import Identifiers
import JSON
import Messages

extension JSONShape where Value == NewConsentRequest {
    static var consentRequest: JSONShape {
        .object { fields throws(BodyProblems) in
            let recipient = fields.required("recipient", .string(RecipientID.init))
            let purposes = fields.optional("purposes", .askedPurposes, default: [.tracking])
            let notice = fields.required("notice", .notice)
            let needsConfirmation = fields.optional("confirm", .bool, default: false)
            try fields.finish()
            return NewConsentRequest(
                recipient: try recipient.get(), purposes: purposes, notice: try notice.get(),
                needsConfirmation: needsConfirmation)
        }
    }
}

extension JSONShape where Value == [Purpose] {
    fileprivate static var askedPurposes: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let purposes = try JSONShape.array(of: .string(Purpose.init), count: ConsentRequest.purposeCount)
                .read(value, at: pointer)
            guard Set(purposes).count == purposes.count else {
                throw BodyProblems(pointer, "must not name a purpose twice")
            }
            return purposes
        }
    }
}

extension JSONShape where Value == ConsentNotice {
    fileprivate static var notice: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            try JSONShape.object { fields throws(BodyProblems) in
                let id = fields.required("id", .text(length: 1...256, allowing: .oneLine))
                let version = fields.required("version", .text(length: 1...256, allowing: .oneLine))
                let language = fields.required("language", .languageTag)
                let (text, url) = (fields.optional("text", .noticeText), fields.optional("url", .webURL))
                let stated = fields.optional("sha256", .sha256)
                try fields.finish()
                let (body, sha256) = try Self.body(text, url, stated, at: pointer)
                return ConsentNotice(
                    id: try id.get(), version: try version.get(), sha256: sha256, language: try language.get(),
                    body: body)
            }.read(value, at: pointer)
        }
    }

    /// The text that is shown, or its URL and digest. The digest of a text is computed.
    private static func body(
        _ text: String?, _ url: String?, _ stated: String?, at pointer: JSONPointer
    ) throws(BodyProblems) -> (ConsentNotice.Body, sha256: String) {
        switch (text, url) {
        case (nil, nil): throw BodyProblems(pointer.appending("text"), "is required where there is no url")
        case (.some, .some): throw BodyProblems(pointer.appending("url"), "must not be set beside text")
        case (let text?, nil):
            let computed = Hexadecimal.encode(SHA256.hash(of: Array(text.utf8)))
            guard stated == nil || stated == computed else {
                throw BodyProblems(pointer.appending("sha256"), "is not that of the text")
            }
            return (.text(text), computed)
        case (nil, let url?):
            guard let stated else {
                throw BodyProblems(pointer.appending("sha256"), "is required where the text is not given")
            }
            return (.url(url), stated)
        }
    }
}

extension JSONShape where Value == String {
    /// Plain text: no control characters but line feed, carriage return and tab.
    fileprivate static var noticeText: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try JSONShape.text(length: 1...8192).read(value, at: pointer)
            let allowed: Set<Unicode.Scalar> = ["\n", "\r", "\t"]
            let isPlain = text.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control || allowed.contains($0)
            }
            guard isPlain else {
                throw BodyProblems(pointer, "must not contain control characters but line breaks and tabs")
            }
            return text
        }.notBlank
    }

    fileprivate static var webURL: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try JSONShape.string.read(value, at: pointer)
            do throws(TargetURLError) {
                let target = try TargetURL(stored: text)
                guard target.kind == .web else { throw .notAnOrigin }
            } catch {
                throw BodyProblems(
                    pointer, "must be an http or https URL of at most 2048 bytes, without credentials")
            }
            return text
        }
    }

    fileprivate static var sha256: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try JSONShape.string.read(value, at: pointer)
            guard text.utf8.count == SHA256.hashLength * 2, (try? Hexadecimal.decode(text)) != nil else {
                throw BodyProblems(pointer, "must be 64 lower-case hexadecimal digits")
            }
            return text
        }
    }

    /// Subtags of 1–8 letters and digits, the first of 2–8 letters (RFC 5646, 2.1). It does not check whether they are
    /// registered.
    fileprivate static var languageTag: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try JSONShape.string.read(value, at: pointer)
            let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            let isWellFormed =
                text.utf8.count <= 35 && (2...8).contains(subtags.first?.count ?? 0)
                && (subtags.first?.allSatisfy(\.isLetter) ?? false)
                && subtags.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(\.isLetterOrDigit) }
            guard isWellFormed else { throw BodyProblems(pointer, "must be a language tag (BCP 47), such as de-AT") }
            return text
        }
    }
}
