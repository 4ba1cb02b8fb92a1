import Consent
import Identifiers

/// What somebody typed to look at a person.
struct LookForm {
    /// Of an identifier, in characters.
    private static let longestRecipient = RecipientID.maximumLength

    /// What they typed, to be shown again where it does not fit.
    let typedRecipient: String
    let typedReason: String
    let typedDay: String

    init(_ form: ConsoleForm) {
        typedRecipient = form["recipient"]
        typedReason = form["reason"]
        typedDay = form["day"]
        self.form = form
    }

    private let form: ConsoleForm

    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    var recipient: RecipientID {
        get throws {
            let text = try form.text("recipient", atMost: Self.longestRecipient)
            do throws(IdentifierError) { return try RecipientID(text) } catch {
                throw ConsoleRefusal.unfit(field: "recipient", .tooLong(Self.longestRecipient))
            }
        }
    }

    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    var reason: AccessReason {
        get throws {
            let text = try form.text("reason", atMost: AccessReason.maximumLength)
            do throws(AccessTextError) { return try AccessReason(text) } catch {
                throw ConsoleRefusal.unfit(field: "reason", .malformed)
            }
        }
    }

    /// `nil` for any day.
    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    var day: String? {
        get throws {
            guard !typedDay.isEmpty else { return nil }
            guard typedDay.utf8.count == 10, (try? Timestamp(rfc3339: typedDay + "T00:00:00Z")) != nil else {
                throw ConsoleRefusal.unfit(field: "day", .malformed)
            }
            return typedDay
        }
    }
}
