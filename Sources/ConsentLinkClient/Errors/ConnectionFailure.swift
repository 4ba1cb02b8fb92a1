import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

extension Error {
    /// Why there was no answer, in words.
    package var connectionText: String {
        switch self {
        case let error as NIOConnectionError:
            error.connectionErrors.first?.error.connectionText ?? ConnectionWords.unknownHost
        case let error as IOError: error.systemText
        case let error as ChannelError where error == .eof || error == .ioOnClosedChannel: ConnectionWords.closed
        case let error as HTTPClientError: error.text
        case let error as NIOSSLError: error.text
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: ConnectionWords.otherName
        // Their own text has paths of the machine on which the program was built.
        case is NIOSSLExtraError, is BoringSSLError: ConnectionWords.tls
        default: "\(self)"
        }
    }

    /// Whether no connection was established. Nothing is sent before the end of a TLS handshake.
    var isBeforeConnection: Bool {
        switch self {
        case is NIOConnectionError: true
        case let error as HTTPClientError: HTTPClientError.beforeConnection.contains(error)
        case let error as IOError: error.errnoCode == ECONNREFUSED
        case let error as NIOSSLError: error.isOfHandshake
        case let error as NIOSSLExtraError: error == .failedToValidateHostname
        default: false
        }
    }
}

extension ConsentLinkError {
    /// Why there was no answer.
    ///
    /// - Parameter error: of the HTTP client or of the connection.
    init(connection error: any Error) {
        let reason = error.connectionText
        self = error.isBeforeConnection ? .notConnected(reason: reason) : .unreachable(reason: reason)
    }
}

enum ConnectionWords {
    static let closed = "the connection was closed"
    static let silent = "it was silent for too long"
    static let unknownHost = "no host of this name is known"
    static let late = "no connection in time"
    static let untrusted = "its certificate is not trusted"
    static let otherName = "its certificate is for another host"
    static let handshake = "the TLS handshake failed"
    static let tls = "TLS failed"
}

extension HTTPClientError {
    fileprivate static let beforeConnection: [Self] = [
        .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout,
    ]

    fileprivate var text: String {
        if Self.beforeConnection.contains(self) { return ConnectionWords.late }
        if self == .remoteConnectionClosed { return ConnectionWords.closed }
        let isLate = [.deadlineExceeded, .readTimeout, .writeTimeout].contains(self)
        return isLate ? "no answer in time" : shortDescription
    }
}

extension NIOSSLError {
    fileprivate var isOfHandshake: Bool { if case .handshakeFailed = self { true } else { false } }

    fileprivate var text: String {
        switch self {
        case .uncleanShutdown: ConnectionWords.closed
        // BoringSSL reports it only as text.
        case .handshakeFailed where "\(self)".contains("CERTIFICATE_VERIFY_FAILED"): ConnectionWords.untrusted
        case .handshakeFailed: ConnectionWords.handshake
        default: ConnectionWords.tls
        }
    }
}

extension IOError {
    /// The system's reason, as part of a sentence.
    fileprivate var systemText: String {
        let text = String(cString: strerror(errnoCode))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
