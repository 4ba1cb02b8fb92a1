/// What is done to the service or to an organization, other than recording, composing and reading. The log has a line
/// for each.
enum AdministrativeAct: String, CaseIterable {
    case organizationCreated = "organization.create"
    case organizationChanged = "organization.change"
    case keyCreated = "key.create"
    case keyDeleted = "key.delete"
    case messageDisabled = "message.disable"
    case messageEnabled = "message.enable"
    case recipientErased = "recipient.erase"
    case recipientExported = "recipient.export"
    case auditExported = "audit.export"
    case signingKeyRotated = "keyring.rotate"
    case signingKeyRetired = "keyring.retire"
    case backupMade = "backup.make"
    case nodeRemoved = "node.remove"
}
