/// The points of a move at which something is durable, for tests that end the process there.
enum MigrationMilestone: CaseIterable, Sendable {
    /// The manifest says that a move begins.
    case begun
    /// The source says that it is moved.
    case claimed
    /// The manifest says that rows are copied.
    case copying
    /// All rows are in the new database.
    case copied
    /// The folder has the signing keys of all nodes.
    case ringTaken
    /// The new file is in its place.
    case inPlace
    /// The manifest says that the new database counts.
    case switched
    /// Both databases were told.
    case told
    /// A running service uses the new database.
    case served
    /// The manifest says that nothing may be continued, because the move is given up.
    case givenUp
    /// Nothing of the copy is left.
    case copyRemoved
    /// The source says that it is in use.
    case released
    /// The manifest says that the move was given up.
    case abandoned
}
