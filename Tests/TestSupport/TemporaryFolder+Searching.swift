package import Foundation

extension TemporaryFolder {
    /// The names of the files in which `text` stands anywhere.
    package func filesContaining(_ text: String) throws -> [String] {
        try files.filter { try contents(of: $0).range(of: Data(text.utf8)) != nil }
    }

    /// Those of `salts` that stand anywhere in any file.
    package func saltsFound(among salts: Set<SaltBytes>) throws -> Set<SaltBytes> {
        var found: Set<SaltBytes> = []
        for file in try files {
            try contents(of: file).withUnsafeBytes { bytes in
                guard bytes.count >= 16 else { return }
                for position in 0...(bytes.count - 16) {
                    let salt = SaltBytes(
                        high: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self),
                        low: bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self))
                    if salts.contains(salt) { found.insert(salt) }
                }
            }
        }
        return found
    }
}

/// 16 bytes as they stand in a file.
package struct SaltBytes: Hashable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(_ bytes: [UInt8]) {
        precondition(bytes.count == 16, "not a salt")
        high = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self) }
        low = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
    }
}

extension Data {
    /// Calls `visit` with what follows each occurrence of `text`. (`Data.range(of:)` copies all of the data each time.)
    package func forEachOccurrence(of text: String, visit: (UnsafeRawBufferPointer.SubSequence) -> Void) {
        let mark = Array(text.utf8)
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            var position = 0
            while let found = memchr(start + position, Int32(mark[0]), bytes.count - position) {
                position = UnsafeRawPointer(found) - start
                if bytes.count - position >= mark.count, memcmp(found, mark, mark.count) == 0 {
                    visit(bytes[(position + mark.count)...])
                }
                position += 1
            }
        }
    }
}
