import Consent
import Identifiers

/// The form with which a user looks at a person.
struct AccessForm {
    /// The longest identifier, in bytes.
    private static let maximumRecipientLength = RecipientID.maximumLength

    /// An invalid field, as an address names it: `reason.missing`, `reason.tooLong.500`, `recipient.tooManyBytes.256`.
    struct Misfit {
        let field: String
        let fault: ConsoleRefusal.InputFault

        init(field: String, fault: ConsoleRefusal.InputFault) {
            self.field = field
            self.fault = fault
        }

        init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count >= 2, ["recipient", "reason", "day"].contains(parts[0]) else { return nil }
            field = String(parts[0])
            switch (parts[1], parts.count) {
            case ("missing", 2): fault = .missing
            case ("malformed", 2): fault = .malformed
            case ("tooLong", 3):
                guard let length = Int(parts[2]) else { return nil }
                fault = .tooLong(length)
            case ("tooManyBytes", 3):
                guard let length = Int(parts[2]) else { return nil }
                fault = .tooManyBytes(length)
            default: return nil
            }
        }

        var text: String {
            switch fault {
            case .missing: "\(field).missing"
            case .malformed, .unknown, .beforeBeginning: "\(field).malformed"
            case .tooLong(let length): "\(field).tooLong.\(length)"
            case .tooManyBytes(let length): "\(field).tooManyBytes.\(length)"
            }
        }
    }

    private let form: ConsoleForm

    init(_ form: ConsoleForm) { self.form = form }

    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    var recipient: RecipientID {
        get throws {
            // Not trimmed: a program may have recorded it with white space at its beginning or end.
            let text = try form.exactText("recipient", atMost: .bytes(Self.maximumRecipientLength))
            do throws(IdentifierError) { return try RecipientID(text) } catch {
                throw ConsoleRefusal.unfit(field: "recipient", .tooManyBytes(Self.maximumRecipientLength))
            }
        }
    }

    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    var reason: AccessReason {
        get throws {
            let text = try form.text("reason", atMost: .characters(AccessReason.maximumLength))
            do throws(AccessTextError) { return try AccessReason(stated: text) } catch {
                throw ConsoleRefusal.unfit(field: "reason", error == .reasonEmpty ? .missing : .malformed)
            }
        }
    }

    /// `nil` for any day.
    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    var day: String? {
        get throws {
            let typedDay = form["day"]
            guard !typedDay.isEmpty else { return nil }
            guard typedDay.utf8.count == 10, (try? Timestamp(rfc3339: typedDay + "T00:00:00Z")) != nil else {
                throw ConsoleRefusal.unfit(field: "day", .malformed)
            }
            return typedDay
        }
    }
}
