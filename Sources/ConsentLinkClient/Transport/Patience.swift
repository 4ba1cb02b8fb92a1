/// How long one try of a call may take until its whole answer is read, if the caller sets no limit.
package enum Patience {
    /// For a call whose work is limited.
    package static let ordinary = Duration.seconds(60)
    /// For a call whose work grows with what is stored, selected or sent. Of a stream it limits the time until the
    /// answer begins: for an archive the service first reads every entry that it selects.
    static let long = Duration.seconds(600)
    static let backup = Duration.seconds(86_400)
}
