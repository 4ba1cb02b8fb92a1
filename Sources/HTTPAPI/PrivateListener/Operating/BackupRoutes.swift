import Hummingbird
import Identifiers
import JSON
import UseCases

/// Copying everything while it is in use. Only for the operator: a backup contains every organization and every key.
struct BackupRoutes {
    let backups: any BackupMaking

    var routes: [Route] { [Route(.post, "/v1/backup", .operatorAlone, act: .backupMade, takesBody: false, make)] }

    /// A setting decides where backups go, not the request, so a key cannot be used to write anywhere else.
    @Sendable private func make(_ call: AuthenticatedRequest) async throws -> Response {
        let backup = try await backups.make()
        call.details.add("files", backup.files.count)
        return .json(.created) { writer in
            writer.object { writer in
                writer.member("folder", backup.folder)
                writer.member("startedAt", backup.startedAt.rfc3339)
                writer.member("finishedAt", backup.finishedAt.rfc3339)
                writer.member("includesDatabase", backup.includesDatabase)
                writer.objects("files", backup.files) { file, writer in
                    writer.member("name", file.name)
                    writer.member("bytes", file.bytes)
                }
            }
        }
    }
}
