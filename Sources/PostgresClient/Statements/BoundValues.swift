import SQL

/// The values of a statement in PostgreSQL's binary format.
struct BoundValues: ~Copyable {
    /// The bytes of all values, one after another.
    private var bytes: [UInt8] = []
    /// The range of each value; `nil` for NULL.
    private var ranges: [Range<Int>?] = []
    private(set) var types: [UInt32] = []

    var byteCount: Int { bytes.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ranges.removeAll(keepingCapacity: true)
        types.removeAll(keepingCapacity: true)
    }

    mutating func append(_ value: Int64) {
        let start = bytes.count
        append(bigEndian: value)
        end(start, PostgresType.int8)
    }

    mutating func append(_ value: UnsafeRawBufferPointer, type: UInt32) {
        let start = bytes.count
        bytes.append(contentsOf: value)
        end(start, type)
    }

    mutating func appendNull(type: UInt32) {
        ranges.append(nil)
        types.append(type)
    }

    /// The binary format of arrays: the number of dimensions, whether there are NULLs, the type of the elements, length
    /// and lower bound of the only dimension, then each element preceded by its length.
    mutating func append(_ values: [Int64]) {
        let start = bytes.count
        bytes.reserveCapacity(start + 20 + values.count * 12)
        appendHead(count: values.count, element: PostgresType.int8)
        for value in values {
            append(bigEndian: 8 as Int32)
            append(bigEndian: value)
        }
        end(start, PostgresType.int8Array)
    }

    mutating func append(_ values: [[UInt8]]) {
        let start = bytes.count
        appendHead(count: values.count, element: PostgresType.bytea)
        for value in values {
            append(bigEndian: Int32(value.count))
            bytes.append(contentsOf: value)
        }
        end(start, PostgresType.byteaArray)
    }

    /// Appends a list whose elements are already in the format of lists.
    mutating func append(list elements: [UInt8], count: Int, of type: UInt32) throws {
        let start = bytes.count
        bytes.reserveCapacity(start + 20 + elements.count)
        appendHead(count: count, element: type)
        bytes.append(contentsOf: elements)
        end(start, try PostgresType.list(of: type))
    }

    /// Appends each value, preceded by its length, to the elements of its column.
    borrowing func add(to columns: inout [RowLists.Column]) {
        for place in ranges.indices {
            guard let range = ranges[place] else {
                columns[place].append(length: -1)
                continue
            }
            columns[place].append(length: Int32(range.count))
            columns[place].elements.append(contentsOf: bytes[range])
        }
    }

    private mutating func appendHead(count: Int, element: UInt32) {
        append(bigEndian: (count == 0 ? 0 : 1) as Int32)
        // Whether there are NULLs: the server finds them by their lengths.
        append(bigEndian: 0 as Int32)
        append(bigEndian: element)
        guard count > 0 else { return }
        append(bigEndian: Int32(count))
        append(bigEndian: 1 as Int32)
    }

    private mutating func append(bigEndian value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func end(_ start: Int, _ type: UInt32) {
        ranges.append(start..<bytes.count)
        types.append(type)
    }

    borrowing func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        guard !ranges.isEmpty else { return body(nil, nil, nil) }
        return bytes.withUnsafeBytes { bytes in
            // An empty value also needs an address that is not NULL.
            withUnsafePointer(to: 0 as CChar) { empty in
                let pointers = ranges.map { range -> UnsafePointer<CChar>? in
                    guard let range else { return nil }
                    guard let base = bytes.baseAddress, !range.isEmpty else { return empty }
                    return (base + range.lowerBound).assumingMemoryBound(to: CChar.self)
                }
                let lengths = ranges.map { Int32($0?.count ?? 0) }
                let formats = [Int32](repeating: 1, count: ranges.count)
                return body(pointers, lengths, formats)
            }
        }
    }
}

extension SQLType {
    var postgres: UInt32 {
        switch self {
        case .integer: PostgresType.int8
        case .text: PostgresType.text
        case .bytes, .personal: PostgresType.bytea
        }
    }
}
