package import StoragePorts
package import TestSupport

/// Something that is backed up, and how to write names to it, to erase them, and to read those in a copy.
package struct BackupSourceUnderTest: Sendable {
    package let source: any BackupSource
    /// Stores `name`; durable on return.
    package let write: @Sendable (_ name: String) async throws -> Void
    /// Erases everything that was written as `name`, from the files too.
    package let erase: @Sendable (_ name: String) async throws -> Void
    /// Opens the copy in a folder, and says which of `names` are in it.
    package let read: @Sendable (_ names: [String], _ copy: TemporaryFolder) async throws -> [String]

    package init(
        source: any BackupSource, write: @escaping @Sendable (String) async throws -> Void,
        erase: @escaping @Sendable (String) async throws -> Void,
        read: @escaping @Sendable ([String], TemporaryFolder) async throws -> [String]
    ) {
        self.source = source
        self.write = write
        self.erase = erase
        self.read = read
    }
}
