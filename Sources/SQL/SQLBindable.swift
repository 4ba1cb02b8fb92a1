/// A value that can be bound to a `?`.
@usableFromInline
package protocol SQLBindable {
    static var sqlType: SQLType { get }
    func bind(to statement: any PreparedStatement, at place: Int32) throws
}

extension Int64: SQLBindable {
    @usableFromInline
    package static var sqlType: SQLType { .integer }

    @inlinable
    package func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try statement.bind(self, at: place)
    }
}

extension SQLBindable where Self: BinaryInteger {
    @usableFromInline
    package static var sqlType: SQLType { .integer }

    @inlinable
    package func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try statement.bind(Int64(self), at: place)
    }
}

extension Int: SQLBindable {}
extension UInt8: SQLBindable {}
extension UInt16: SQLBindable {}

extension Bool: SQLBindable {
    @usableFromInline
    package static var sqlType: SQLType { .integer }

    @inlinable
    package func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try statement.bind(self ? 1 : 0, at: place)
    }
}

extension String: SQLBindable {
    @usableFromInline
    package static var sqlType: SQLType { .text }

    @usableFromInline
    package func bind(to statement: any PreparedStatement, at place: Int32) throws {
        var text = self
        try text.withUTF8 { try statement.bind(text: UnsafeRawBufferPointer($0), at: place) }
    }
}

extension [UInt8]: SQLBindable {
    @usableFromInline
    package static var sqlType: SQLType { .bytes }

    @usableFromInline
    package func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try withUnsafeBytes { try statement.bind(bytes: $0, at: place) }
    }
}

extension InlineArray: SQLBindable where Element == UInt8 {
    @usableFromInline
    package static var sqlType: SQLType { .bytes }

    @inlinable
    package func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try span.withUnsafeBytes { try statement.bind(bytes: $0, at: place) }
    }
}

/// Text with personal data: a recipient's identifier, their answers, the notices they read.
@usableFromInline
package struct PersonalText: SQLBindable {
    @usableFromInline
    package static var sqlType: SQLType { .personal }

    private let text: String

    package init(_ text: String) { self.text = text }

    @usableFromInline
    package func bind(to statement: any PreparedStatement, at place: Int32) throws {
        var text = text
        try text.withUTF8 { try statement.bind(personal: UnsafeRawBufferPointer($0), at: place) }
    }
}

/// A list of numbers in the place of one value, as in `= ANY(?)`. Only for engines that have lists.
@usableFromInline
package struct IntegerList: SQLBindable {
    @usableFromInline
    package static var sqlType: SQLType { .integer }

    private let values: [Int64]

    package init(_ values: [Int64]) { self.values = values }

    @usableFromInline
    package func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try statement.bind(integers: values, at: place)
    }
}

/// A list of byte strings in the place of one value. Only for engines that have lists.
@usableFromInline
package struct ByteStringList: SQLBindable {
    @usableFromInline
    package static var sqlType: SQLType { .bytes }

    private let values: [[UInt8]]

    package init(_ values: [[UInt8]]) { self.values = values }

    @usableFromInline
    package func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try statement.bind(byteStrings: values, at: place)
    }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    @usableFromInline
    package static var sqlType: SQLType { Wrapped.sqlType }

    @inlinable
    package func bind(to statement: any PreparedStatement, at place: Int32) throws {
        guard let self else { return try statement.bindNull(as: Wrapped.sqlType, at: place) }
        try self.bind(to: statement, at: place)
    }
}
