/// A fault of an archive, in words for the auditor who verifies an export.
package enum TarError: String, Error, Sendable {
    case header = "a header is not one that exports have"
    /// An export that was compressed on its way, such as by an archive or a mail.
    case compressed = "it is compressed: decompress it first, such as with gunzip"
    case padding = "there is something between the files"
    case trailingBytes = "there is something after its end"
    case cutShort = "it is cut short"
}
