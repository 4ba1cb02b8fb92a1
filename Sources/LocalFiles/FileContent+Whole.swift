package import SystemPackage

extension FileContent {
    /// Why a file cannot be read whole.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        case system(Errno)
        /// In bytes.
        case tooLong(limit: Int)

        package var description: String {
            switch self {
            case .system(.isDirectory): "it is a folder"
            case .system(let error): "\(error)"
            case .tooLong(let limit): "it has more than \(limit) bytes"
            }
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// All bytes of a file that should be small. Of a longer one, or of a device without an end, no more is read than
    /// tells that.
    ///
    /// - Parameter limit: the greatest length, in bytes.
    package static func whole(_ path: String, upTo limit: Int) throws(Fault) -> [UInt8] {
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try read(path, atMost: limit + 1)
        } catch { throw .system(error) }
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        return bytes
    }

    /// The bytes behind a byte order mark, which some editors put before a text in UTF-8.
    package static func withoutByteOrderMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
    }
}
