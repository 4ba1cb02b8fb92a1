import Identifiers

/// The texts of the page about signing keys.
struct SigningKeyTexts: Sendable {
    let title: String
    let lead: String
    let caption: String
    let id: String
    let made: String
    let state: String
    let signs: String
    let announced: String
    let opens: String
    let signedUntil: String
    let linksUntil: String
    let rotate: String
    let rotateHint: String
    let retire: String
    let retireHint: String
    let key: String
    let force: String
    let noneToRetire: String
    let rotated: String
    let retired: String
    let retiredExcept: @Sendable (_ nodes: String) -> String
    let retiredHere: String
    let full: String
    let notEverywhere: @Sendable (_ nodes: String) -> String
    let moved: String
    let stillSigns: String
    let clockNotTrusted: String
    let alive: @Sendable (_ until: String) -> String
    /// For links that the present key signed, if it were rotated today.
    let lifetime: @Sendable (_ days: Int) -> String

    static let all = Wording(
        english: SigningKeyTexts(
            title: "Signing keys", lead: "One key signs links; the others only open those that they signed before.",
            caption: "The key ring", id: "Key", made: "Made", state: "State", signs: "Signs",
            announced: "Announced, does not sign yet", opens: "Opens", signedUntil: "Signed until",
            linksUntil: "Its last link ends", rotate: "Rotate: a new key signs",
            rotateHint: """
                Links that were sent go on working. Where nodes share the ring, all must know the new key first.
                """,
            retire: "Retire", retireHint: "Links that the key signed lead nowhere from then on. It cannot be undone.",
            key: "Key to retire",
            force: "Retire it even if links that it signed are still valid",
            noneToRetire: "Only the key that signs is in the ring: rotate first.",
            rotated: "The key ring is rotated: a new key signs.", retired: "The key is retired.",
            retiredExcept: { nodes in
                "The key is retired. Until they read the key ring, these nodes may open links with it: \(nodes)."
            },
            retiredHere: """
                The key is retired. The other nodes could not be asked whether they have removed it: until they read \
                the key ring, they may open links with it.
                """,
            full: "The key ring is full. Retire keys whose links have ended.",
            notEverywhere: { nodes in
                """
                The new key does not sign yet: these nodes have not taken it over: \(nodes). Ask again once they run, or \
                remove those that do not come back.
                """
            },
            moved: "Another node has changed the key ring. Look at it, and ask again.",
            stillSigns: "This key signs. Rotate first, so that another does.",
            clockNotTrusted: """
                The system's clock went ahead by more than a day, so links signed with this key may still be alive. \
                Set the clock or, if it is right, ask again after a day. Nothing was changed.
                """,
            alive: { "Links signed with this key may be alive until \($0). Nothing was changed." },
            lifetime: { $0 == 1 ? "A link records for 1 day at most." : "A link records for \($0) days at most." }),
        german: SigningKeyTexts(
            title: "Signaturschlüssel",
            lead: "Ein Schlüssel signiert Links; die anderen öffnen nur, was sie früher signierten.",
            caption: "Der Schlüsselring", id: "Schlüssel", made: "Erstellt", state: "Zustand", signs: "Signiert",
            announced: "Angekündigt, signiert noch nicht", opens: "Öffnet", signedUntil: "Signierte bis",
            linksUntil: "Sein letzter Link endet", rotate: "Wechseln: ein neuer Schlüssel signiert",
            rotateHint: """
                Versandte Links gehen weiter. Teilen sich Knoten den Ring, müssen zuerst alle den neuen Schlüssel \
                kennen.
                """,
            retire: "Ausmustern",
            retireHint: """
                Links, die der Schlüssel signierte, führen von da an nirgendwohin. Das lässt sich nicht rückgängig \
                machen.
                """,
            key: "Auszumusternder Schlüssel", force: "Auch ausmustern, wenn von ihm signierte Links noch gelten",
            noneToRetire: "Im Ring ist nur der Schlüssel, der signiert: Wechseln Sie zuerst.",
            rotated: "Der Schlüssel ist gewechselt: Ein neuer signiert.", retired: "Der Schlüssel ist ausgemustert.",
            retiredExcept: { nodes in
                """
                Der Schlüssel ist ausgemustert. Bis sie den Schlüsselring lesen, können diese Knoten noch Links mit \
                ihm öffnen: \(nodes).
                """
            },
            retiredHere: """
                Der Schlüssel ist ausgemustert. Die anderen Knoten konnten nicht gefragt werden, ob sie ihn entfernt \
                haben: Bis sie den Schlüsselring lesen, können sie noch Links mit ihm öffnen.
                """,
            full: "Der Schlüsselring ist voll. Mustern Sie Schlüssel aus, deren Links geendet haben.",
            notEverywhere: { nodes in
                """
                Der neue Schlüssel signiert noch nicht: Diese Knoten haben ihn nicht übernommen: \(nodes). Versuchen Sie es \
                noch einmal, sobald sie laufen, oder entfernen Sie die, die nicht wiederkommen.
                """
            },
            moved: """
                Ein anderer Knoten hat den Schlüsselring geändert. Sehen Sie ihn an und versuchen Sie es noch einmal.
                """,
            stillSigns: "Dieser Schlüssel signiert. Wechseln Sie zuerst, damit ein anderer es tut.",
            clockNotTrusted: """
                Die Uhr des Systems ging um mehr als einen Tag vor. Darum können Links, die mit diesem Schlüssel \
                signiert sind, noch gelten. Stellen Sie die Uhr oder, wenn sie stimmt, versuchen Sie es nach einem Tag \
                noch einmal. Nichts wurde geändert.
                """,
            alive: { "Links, die mit diesem Schlüssel signiert sind, können bis \($0) gelten. Nichts wurde geändert." },
            lifetime: {
                $0 == 1
                    ? "Ein Link zeichnet höchstens 1 Tag lang auf." : "Ein Link zeichnet höchstens \($0) Tage lang auf."
            }))
}
