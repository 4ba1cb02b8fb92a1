import HTTPTypes
import Identifiers
import Logging
import Pages
import TrackingIDs
import UseCases

/// The keys that sign links. Only the operator may see them.
struct SigningKeyRoutes {
    private static let path = "/signing-keys"
    private static let rotatePath = "/signing-keys/rotate"
    private static let retirePath = "/signing-keys/retire"
    /// The member of the query with the nodes that may still open links with a retired key.
    private static let nodesMember = "retiredExcept"

    let rotation: KeyRotation
    let linkLifetimeInDays: Int

    var routes: [ConsoleRoute] {
        [
            .page(Self.path, .operatorAlone, show), .form(Self.rotatePath, .operatorAlone, rotate),
            .form(Self.retirePath, .operatorAlone, gravity: .grave, retire),
        ]
    }

    private struct View {
        let texts: SigningKeyTexts
        let table: String
        let lifetime: String
        /// What was done; `nil` if nothing was.
        let notice: String?
        /// What was done, but has no effect at some nodes yet; `nil` if there is no such thing.
        let warning: String?
        let failure: String?
        let rotateAction: String
        let rotateToken: String
        let retireAction: String
        let retireToken: String
        let back: String
        /// The keys that may be retired.
        let ids: [String]
        let hasIDs: Bool
    }

    /// The action before the browser was redirected to the page.
    private enum Done: String {
        case rotated
        case retired
        /// Retired, but the nodes could not be asked whether they have removed the key.
        case retiredHere
    }

    private static func path(after done: Done, _ call: ConsoleCall) throws -> String {
        try call.address(of: path, saying: [("done", done.rawValue)])
    }

    private static func path(after holders: RetiredKeyHolders, _ call: ConsoleCall) throws -> String {
        switch holders {
        case .none: try path(after: .retired, call)
        case .unknown: try path(after: .retiredHere, call)
        case .named(let nodes):
            try call.address(of: path, saying: [(nodesMember, nodes.joined(separator: ", "))])
        }
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse { .page(try await page(call)) }

    private func page(_ call: ConsoleCall, failure: String? = nil) async throws -> ConsolePage {
        let texts = SigningKeyTexts.all[call.language]
        let listings = await rotation.list()
        let table = ConsoleTable(
            name: "keys", caption: texts.caption,
            columns: [
                .init("id", texts.id), .init("createdAt", texts.made), .init("state", texts.state),
                .init("signedUntil", texts.signedUntil), .init("linksAliveUntil", texts.linksUntil),
            ],
            rows: listings.map { row($0, texts) })
        let (notice, warning) = Self.done(call, texts)
        let ids = listings.filter { $0.key.signedUntil != nil }.map { String($0.key.id) }
        let view = View(
            texts: texts, table: table.html(call.format).text, lifetime: texts.lifetime(linkLifetimeInDays),
            notice: notice, warning: warning, failure: failure,
            rotateAction: Self.rotatePath, rotateToken: try call.formToken(for: Self.rotatePath),
            retireAction: Self.retirePath, retireToken: try call.formToken(for: Self.retirePath), back: Self.path,
            ids: ids, hasIDs: !ids.isEmpty)
        var page = ConsolePage(
            area: .signingKeys, title: texts.title, lead: texts.lead,
            content: Templates.render("signing-keys", view), tables: [table])
        if failure != nil {
            page.status = .conflict
            page.isOnce = true
        }
        return page
    }

    private static func done(
        _ call: ConsoleCall, _ texts: SigningKeyTexts
    ) -> (notice: String?, warning: String?) {
        if let nodes = call.said(nodesMember)?.first { return (nil, texts.retiredExcept(nodes)) }
        return switch call.said("done")?.first.flatMap(Done.init(rawValue:)) {
        case .rotated: (texts.rotated, nil)
        case .retired: (texts.retired, nil)
        case .retiredHere: (nil, texts.retiredHere)
        case nil: (nil, nil)
        }
    }

    private func row(_ listing: KeyRotation.Listing, _ texts: SigningKeyTexts) -> [ConsoleTable.Cell] {
        let key = listing.key
        let state: ConsoleTable.Cell =
            switch key.signedUntil {
            case nil: .state(texts.signs, code: "signs", tone: .good)
            case key.createdAt?: .state(texts.announced, code: "announced", tone: .warning)
            default: .state(texts.opens, code: "opens", tone: .neutral)
            }
        return [
            .code(String(key.id)), .time(key.createdAt), state, .time(key.signedUntil), .time(listing.linksAliveUntil),
        ]
    }

    @Sendable private func rotate(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = SigningKeyTexts.all[call.language]
        let failure: String
        do {
            let key = try await rotation.rotate(at: call.now)
            call.log("keyring.rotate", details: ["signingKey": "\(key.id)"])
            return .redirect(to: try Self.path(after: .rotated, call))
        } catch TrackingIDError.noKeyIDFree {
            failure = texts.full
        } catch let refusal as KeyRotation.RotationRefusal {
            failure = texts.notEverywhere(refusal.nodes.joined(separator: ", "))
        } catch is KeyRingMoved {
            failure = texts.moved
        }
        call.log("keyring.rotate", status: "refused")
        return .page(try await page(call, failure: failure))
    }

    @Sendable private func retire(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = SigningKeyTexts.all[call.language]
        guard let id = UInt8(call.form["key"]) else { throw ConsoleRefusal.unfit(field: "key", .unknown) }
        let isForced = !call.form["force"].isEmpty
        var details: Logger.Metadata = ["signingKey": "\(id)", "force": "\(isForced)"]
        let failure: String
        do {
            let holders = try await rotation.retire(id, force: isForced, at: call.now)
            if let nodes = holders.detail { details["nodes"] = "\(nodes)" }
            call.log("keyring.retire", details: details)
            return .redirect(to: try Self.path(after: holders, call))
        } catch is KeyRingMoved {
            failure = texts.moved
        } catch KeyRotation.RetireRefusal.unknown {
            throw ConsoleRefusal.notFound
        } catch KeyRotation.RetireRefusal.signs {
            failure = texts.stillSigns
        } catch KeyRotation.RetireRefusal.clockNotTrusted {
            failure = texts.clockNotTrusted
        } catch KeyRotation.RetireRefusal.alive(let end) {
            failure = texts.alive(call.format.day(end))
        }
        call.log("keyring.retire", status: "refused", details: details)
        return .page(try await page(call, failure: failure))
    }
}
