/// The immediate result for a whole request, from before the decoder, that the router could answer, too.
enum TurnTaking {
    case answered
    /// ``PlainRequestReader/goOn()`` or ``PlainRequestReader/handOver()`` follows.
    case waits
    /// Another request comes first; `goOn` follows.
    case waitsForTurn
    /// The connection is being closed.
    case ignored
    /// The router must answer it.
    case declined
}
