package import NIOCore

/// The connections of one listener: a registry for each event loop. It may be used on any thread.
package struct ConnectionRegistries: Sendable {
    private let registries: [ObjectIdentifier: NIOLoopBound<ConnectionRegistry>]

    /// - Parameter registries: one for each event loop of the listener.
    package init(_ registries: some Sequence<NIOLoopBound<ConnectionRegistry>>) {
        self.registries = Dictionary(
            registries.map { (ObjectIdentifier($0.eventLoop), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The registry of an event loop; `nil` if the listener does not use that loop. Must be called on the loop.
    package subscript(loop: any EventLoop) -> ConnectionRegistry? { registries[ObjectIdentifier(loop)]?.value }

    /// From now on, connections end with their next answer.
    package func beginLeaving() { onEachLoop { $0.beginLeaving() } }

    /// Tells all connections, and those that are added later, that the server is about to end.
    package func quiesce() { onEachLoop { $0.quiesce() } }

    /// Closes all connections, and those that are added later.
    package func closeAll() { onEachLoop { $0.closeAll() } }

    private func onEachLoop(_ body: @escaping @Sendable (ConnectionRegistry) -> Void) {
        for registry in registries.values { registry.eventLoop.execute { body(registry.value) } }
    }
}
