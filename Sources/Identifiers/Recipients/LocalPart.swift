import ASCII
import CUnicode

/// The part of an address before the `@`.
enum LocalPart {
    private static let dot = UInt8(ascii: ".")
    private static let symbols = Set("!#$%&'*+-/=?^_`{|}~".utf8)

    /// In Normalization Form C and case-folded; `nil` if it is not a dot-string.
    static func comparisonForm(of bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let form = bytes.allSatisfy { $0 < 0x80 } ? bytes.map(\.lowerCased) : folded(bytes)
        guard let form, isDotString(form) else { return nil }
        return form
    }

    /// - Returns: `nil` if there is not enough memory.
    private static func folded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
        guard let normal = normalized(scalars), let result = normalized(normal.map(folded)) else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: result.compactMap(Unicode.Scalar.init))
        return Array(String(text).utf8)
    }

    /// `İ` and `ı`, which are the capital of `i` and the small letter of `I` in Turkish only.
    private static let turkish: Set<UInt32> = [0x130, 0x131]

    /// Simple case folding (Unicode, CaseFolding.txt, status C and S) maps one character to one, so `ß` is not `ss`,
    /// and neither `İ` nor `ı` is an `i`.
    private static func folded(_ scalar: UInt32) -> UInt32 {
        turkish.contains(scalar) ? scalar : uc_tolower(uc_toupper(scalar))
    }

    /// Normalization Form C.
    private static func normalized(_ scalars: [UInt32]) -> [UInt32]? {
        var length = 0
        guard let result = consentlink_nfc(scalars, scalars.count, &length) else { return nil }
        defer { free(result) }
        return Array(UnsafeBufferPointer(start: result, count: length))
    }

    /// Atoms with single dots between them.
    private static func isDotString(_ bytes: [UInt8]) -> Bool {
        var isAtStart = true
        for byte in bytes {
            if byte == dot {
                if isAtStart { return false }
                isAtStart = true
            } else {
                guard byte >= 0x80 || byte.isLetterOrDigit || symbols.contains(byte) else { return false }
                isAtStart = false
            }
        }
        return !isAtStart
    }
}
