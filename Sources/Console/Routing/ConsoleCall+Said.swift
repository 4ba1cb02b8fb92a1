import Identifiers

/// Messages on a page about an earlier act, for example that a person was erased. They are in its address, with a proof
/// that is valid only in this session, for ``saidFor``: a link of another site cannot claim that something was done.
extension ConsoleCall {
    private static let saidFor = Duration.minutes(15)
    private static let proofMember = "proof"

    /// The address of the page at `path` with the message `members`.
    func address(of path: String, saying members: [(String, String)]) throws -> String {
        let end = now.advanced(by: Self.saidFor)
        let proof = try tools.sealed.seal(Self.text(members), for: Self.use(path), holder: holder, until: end)
        return Self.address(path, members + [(Self.proofMember, proof)])
    }

    /// The values of those members of the query, in the order of `names`; `nil` if one is missing, and if the console
    /// did not put all of them there.
    func said(_ names: String...) -> [String]? {
        let members = queryMembers(names)
        guard members.count == names.count, let proof = query(Self.proofMember),
            tools.sealed.open(proof, for: Self.use(path), holder: holder, at: now) == Self.text(members)
        else { return nil }
        return members.map(\.1)
    }

    private static func use(_ path: String) -> String { "said \(path)" }

    private static func text(_ members: [(String, String)]) -> String { address("", members) }
}
