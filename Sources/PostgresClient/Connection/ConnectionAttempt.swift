import CPostgres
import Glibc

/// An attempt to connect to one address, and to ask the server there for its role. No call blocks: the owner waits for
/// the socket (``descriptor``, ``events``) and then calls ``goOn()``.
final class ConnectionAttempt {
    /// How far it is.
    enum Stage {
        case connecting
        /// The connection is made, and the server was asked for its role.
        case asking
        case done(ServerRole)
        case failed(PostgresError)
    }

    private static let passwordHint = """
        ; the password is that of CONSENTLINK_STORAGE_PASSWORD in the environment, of the file that the setting \
        storage-password-file names, or of ~/.pgpass
        """
    private static let keyHint = "; the service does not ask for a passphrase: sslkey must name a key without one"

    /// When the owner gives up.
    let deadline: ContinuousClock.Instant
    private(set) var stage = Stage.connecting
    /// Whether anything has come from the server.
    private(set) var hasAnswered = false
    /// What the owner waits for before it calls ``goOn()``.
    private(set) var events = Int16(POLLOUT)
    private let host: String
    /// `nil` where libpq connects to the host as it is.
    private let address: String?
    private let mark = SessionMark()
    private var connection: OpaquePointer?
    private var role: Result<ServerRole, PostgresError>?

    /// Begins to connect.
    init(_ parameters: [String: String], until deadline: ContinuousClock.Instant) {
        self.deadline = deadline
        (host, address) = (parameters["host"] ?? "", parameters["hostaddr"])
        connection = withTerminatedStrings(parameters.map(\.key)) { keys in
            withTerminatedStrings(parameters.map(\.value)) { values in cl_pg_begin_connecting(keys, values) }
        }
        if let connection {
            if cl_pg_has_failed(connection) { fail(reason(connection)) }
        } else {
            fail(PostgresError(.cannotConnect("no memory")))
        }
    }

    deinit { close() }

    var isOpen: Bool {
        switch stage {
        case .connecting, .asking: true
        case .done, .failed: false
        }
    }

    var descriptor: Int32 { connection.map { cl_pg_socket($0) } ?? -1 }

    /// Takes the connection, which the caller then closes.
    func take() -> OpaquePointer? {
        defer { connection = nil }
        return connection
    }

    /// Ends an attempt that has not succeeded.
    func fail(_ error: PostgresError) {
        stage = .failed(error)
        close()
    }

    private func close() {
        if let connection { cl_pg_close(connection) }
        connection = nil
    }

    /// Goes on as far as it can without waiting.
    /// - Parameter isReadable: whether something has come from the server.
    func goOn(isReadable: Bool) {
        if isReadable { hasAnswered = true }
        guard let connection else { return }
        switch stage {
        case .connecting: connect(connection)
        case .asking: readRole(connection)
        case .done, .failed: break
        }
    }

    private func connect(_ connection: OpaquePointer) {
        switch cl_pg_go_on_connecting(connection) {
        case Int32(CL_PG_MUST_READ): events = Int16(POLLIN)
        case Int32(CL_PG_MUST_WRITE): events = Int16(POLLOUT)
        case Int32(CL_PG_CONNECTED): ask(connection)
        default: fail(reason(connection))
        }
    }

    private func reason(_ connection: OpaquePointer) -> PostgresError {
        var text = String(cString: cl_pg_connect_error(connection))
        // libpq names only the address, but the operator wrote the name.
        if let address { text = text.replacing("at \"\(address)\"", with: "at \"\(host)\" (\(address))") }
        guard !text.contains("unsupported startup parameter") else { return PostgresError(.pooled) }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0.isWhitespace } }
        let hints =
            (text.contains("password") ? Self.passwordHint : "")
            + (text.contains("could not load private key") ? Self.keyHint : "")
        return PostgresError(.cannotConnect(lines.joined(separator: "; ") + hints))
    }

    private func ask(_ connection: OpaquePointer) {
        let version = cl_pg_server_version(connection)
        guard version >= PostgresConnection.oldestServer else { return fail(PostgresError(.oldServer(version))) }
        guard cl_pg_send_once(connection, ServerRole.question(mark)) else {
            return fail(PostgresError(.connectionLost))
        }
        stage = .asking
        send(connection)
    }

    private func send(_ connection: OpaquePointer) {
        switch cl_pg_flush(connection) {
        case 0: events = Int16(POLLIN)
        case 1: events = Int16(POLLIN) | Int16(POLLOUT)
        default: fail(PostgresError(.connectionLost))
        }
    }

    private func readRole(_ connection: OpaquePointer) {
        guard cl_pg_consume(connection) else { return fail(PostgresError(.connectionLost)) }
        while !cl_pg_is_busy(connection) {
            guard let answer = cl_pg_next_result(connection) else {
                switch role {
                case .success(let role)?: stage = .done(role)
                case .failure(let error)?: fail(error)
                case nil: fail(PostgresError(.connectionLost))
                }
                return
            }
            let result = PostgresResult(answer)
            if role == nil { role = Result { () throws(PostgresError) in try ServerRole(result, mark) } }
        }
        send(connection)
    }
}

/// Calls `body` with C strings, and NULL after the last one.
private func withTerminatedStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let buffers = texts.map { text in
        let bytes = text.utf8CString
        let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = buffer.initialize(from: bytes)
        return buffer
    }
    defer {
        for buffer in buffers {
            // Overwrites the buffer, so that a password does not stay in released memory.
            buffer.update(repeating: 0)
            buffer.deallocate()
        }
    }
    return body(buffers.map { UnsafePointer($0.baseAddress) } + [nil])
}
