import LocalFiles
import SystemPackage

extension FolderSync {
    /// Makes durable what became of a file in the data folder.
    /// - Parameter name: the file, which the error names.
    static func run(_ folder: String, naming name: String) throws(DataFolderError) {
        do throws(Errno) { try run(folder) } catch { throw .writing(name, failedWith: error) }
    }
}
