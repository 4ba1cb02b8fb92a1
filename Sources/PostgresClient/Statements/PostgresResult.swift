import CPostgres

/// The server's answer to one command.
final class PostgresResult {
    private let result: OpaquePointer
    let kind: Int32
    let rows: Int32
    private let types: [UInt32]
    /// Whether a value was read as another type than it has.
    private var isMisread = false

    init(_ result: OpaquePointer) {
        self.result = result
        kind = cl_pg_result_kind(result)
        rows = cl_pg_rows(result)
        types = (0..<cl_pg_columns(result)).map { cl_pg_column_type(result, $0) }
    }

    deinit { cl_pg_result_free(result) }

    /// The command tag, such as `COMMIT`.
    var command: String { String(cString: cl_pg_command(result)) }

    var changed: Int { Int(cl_pg_changed(result)) }

    /// The names of constraints and tables come from the schema. The messages about missing rights and about the state of
    /// an object name that object, and no value.
    var error: PostgresError {
        guard let code = cl_pg_sqlstate(result) else { return PostgresError(.connectionLost) }
        let state = SQLState(code: String(cString: code))
        let object =
            cl_pg_constraint(result) ?? cl_pg_table(result)
            ?? ([.insufficientPrivilege, .wrongObjectState].contains(state) ? cl_pg_message(result) : nil)
        return PostgresError(.server(state, object: object.map { String(cString: $0) }))
    }

    func isNull(_ row: Int32, _ column: Int32) -> Bool { cl_pg_is_null(result, row, column) }

    private func value(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: cl_pg_value(result, row, column), count: Int(cl_pg_length(result, row, column)))
    }

    private func type(_ column: Int32) -> UInt32 { types.indices.contains(Int(column)) ? types[Int(column)] : 0 }

    /// - Returns: whether a value was read as another type than it has since the last call.
    func takeMisread() -> Bool {
        defer { isMisread = false }
        return isMisread
    }

    func integer(_ row: Int32, _ column: Int32) -> Int64 {
        let type = type(column)
        guard !isNull(row, column) else {
            // A comparison with NULL is NULL, and does not hold.
            if type != PostgresType.bool { isMisread = true }
            return 0
        }
        let bytes = value(row, column)
        switch type {
        case PostgresType.int8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case PostgresType.int4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case PostgresType.oid: return Int64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
        case PostgresType.int2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case PostgresType.bool: return bytes.first == 0 ? 0 : 1
        default:
            isMisread = true
            return 0
        }
    }

    func text(_ row: Int32, _ column: Int32) -> String {
        guard !isNull(row, column) else { return "" }
        switch type(column) {
        case PostgresType.int8, PostgresType.int4, PostgresType.int2, PostgresType.oid:
            return String(integer(row, column))
        case PostgresType.text, PostgresType.name, PostgresType.varchar, PostgresType.character, PostgresType.unknown:
            return String(decoding: value(row, column), as: UTF8.self)
        default:
            isMisread = true
            return ""
        }
    }

    func bytes(_ row: Int32, _ column: Int32) -> [UInt8] {
        guard !isNull(row, column) else { return [] }
        guard type(column) == PostgresType.bytea else {
            isMisread = true
            return []
        }
        return [UInt8](value(row, column))
    }
}

/// The object identifiers of types, which are the same on every server.
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let name: UInt32 = 19
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    /// The type of a literal for which the statement does not determine one.
    static let unknown: UInt32 = 705
    static let byteaArray: UInt32 = 1001
    static let textArray: UInt32 = 1009
    static let int8Array: UInt32 = 1016
    static let character: UInt32 = 1042
    static let varchar: UInt32 = 1043

    static func list(of element: UInt32) throws -> UInt32 {
        switch element {
        case int8: int8Array
        case text: textArray
        case bytea: byteaArray
        default: throw PostgresError(.values)
        }
    }
}
