import ASCII

/// Maps values of the roles claim to roles in the console. A value may give several roles.
package struct RoleMapping: Equatable, Sendable {
    static let maximumEntryCount = 1024
    static let maximumValueLength = 256

    struct Entry: Hashable, Sendable {
        let value: String
        let role: MappedRole
    }

    let entries: [Entry]

    /// - Parameter entries: each `value=role` or `value=role@organization`. The last `=` separates, because a value may
    ///   be a distinguished name such as `CN=admins,DC=example`.
    package init(_ entries: [String]) throws(ProviderSettingsError) {
        guard !entries.isEmpty else { throw .noRoles }
        guard entries.count <= Self.maximumEntryCount else { throw .tooManyRoles }
        var read: [Entry] = []
        var seen: Set<[UInt8]> = []
        for (index, text) in entries.enumerated() {
            guard seen.insert(Array(text.utf8)).inserted else { throw .role(entry: index + 1, .duplicate) }
            do throws(EntryFault) {
                read.append(try Self.entry(text))
            } catch {
                throw .role(entry: index + 1, error.fault)
            }
        }
        self.entries = read
    }

    /// Every role that at least one value gives.
    package var allRoles: Set<MappedRole> { Set(entries.map(\.role)) }

    /// The roles that any of `values` gives. Values are compared as bytes.
    package func roles(of values: [String]) -> Set<MappedRole> {
        let values = Set(values.map { Array($0.utf8) })
        return Set(entries.filter { values.contains(Array($0.value.utf8)) }.map(\.role))
    }

    private struct EntryFault: Error { let fault: RoleMappingFault }

    private static func entry(_ text: String) throws(EntryFault) -> Entry {
        guard let divider = text.utf8.lastIndex(of: UInt8(ascii: "=")) else { throw EntryFault(fault: .form) }
        let value = String(text[..<divider])
        guard (1...maximumValueLength).contains(value.utf8.count), value.isPlainLine else {
            throw EntryFault(fault: .value)
        }
        let right = text[text.utf8.index(after: divider)...]
        guard let at = right.utf8.firstIndex(of: UInt8(ascii: "@")) else {
            guard !right.hasSameBytes(as: "operator") else { return Entry(value: value, role: .operator) }
            throw EntryFault(fault: memberRole(right) == nil ? .role : .organizationMissing)
        }
        let name = right[..<at]
        guard !name.hasSameBytes(as: "operator") else { throw EntryFault(fault: .organizationNotAllowed) }
        guard let role = memberRole(name) else { throw EntryFault(fault: .role) }
        let organization = right[right.utf8.index(after: at)...]
        guard !organization.isEmpty else { throw EntryFault(fault: .organizationMissing) }
        guard isOrganization(organization) else { throw EntryFault(fault: .organization) }
        return Entry(value: value, role: .member(role, organization: String(organization)))
    }

    private static func memberRole(_ name: Substring) -> MappedRole.MemberRole? {
        MappedRole.MemberRole.allCases.first { $0.rawValue.hasSameBytes(as: name) }
    }

    /// The same characters as `OrganizationID` in `Identifiers`, which this target does not import.
    private static func isOrganization(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count) && !text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
            && text.utf8.allSatisfy(\.isNameCharacter)
    }
}
