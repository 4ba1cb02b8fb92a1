import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

extension Error {
    /// Why there was no answer, in words.
    package var connectionText: String {
        switch self {
        case let error as NIOConnectionError:
            error.connectionErrors.first?.error.connectionText ?? ConnectionWords.unknownHost
        case let error as IOError: error.systemText
        case let error as ChannelError where error == .eof || error == .ioOnClosedChannel: ConnectionWords.closed
        case let error as HTTPClientError: error.text
        default: "\(self)"
        }
    }

    /// Whether no connection was established.
    var isBeforeConnection: Bool {
        switch self {
        case is NIOConnectionError: true
        case let error as HTTPClientError: HTTPClientError.beforeConnection.contains(error)
        case let error as IOError: error.errnoCode == ECONNREFUSED
        default: false
        }
    }
}

enum ConnectionWords {
    static let closed = "the connection was closed"
    static let silent = "it was silent for too long"
    static let unknownHost = "no host of this name is known"
    static let late = "no connection in time"
}

extension HTTPClientError {
    fileprivate static let beforeConnection: [Self] = [.connectTimeout, .getConnectionFromPoolTimeout]

    fileprivate var text: String {
        if Self.beforeConnection.contains(self) { return ConnectionWords.late }
        if self == .remoteConnectionClosed { return ConnectionWords.closed }
        let isLate = [.deadlineExceeded, .readTimeout, .writeTimeout].contains(self)
        return isLate ? "no answer in time" : shortDescription
    }
}

extension IOError {
    /// The system's reason, as part of a sentence.
    fileprivate var systemText: String {
        let text = String(cString: strerror(errnoCode))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
