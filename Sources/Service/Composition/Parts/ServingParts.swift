import Logging
import Messages
import NIOCore

/// What the listeners, and the end of the process, are made from: everything that does not depend on them.
struct ServingParts {
    let settings: ServiceSettings
    let publicOrigin: PublicOrigin
    let sockets: SocketParts
    let stored: StorageParts
    let ledgers: LedgerParts
    let recording: RecordingParts
    let useCases: UseCaseParts
    /// The event loops of all connections.
    let group: any EventLoopGroup
    let logger: Logger
}
