import ArgumentParser
import JSON
import Organizations

extension RetentionPeriod: ExpressibleByArgument {
    /// - Parameter argument: a number of days, or the word for no end.
    package init?(argument: String) {
        if argument == Self.nameOfForever {
            self = .forever
        } else {
            guard let days = Int(argument), Retention.allowedDays.contains(days) else { return nil }
            self = .days(days)
        }
    }
}

extension JSONWriter {
    /// A member that is left out if no period was given.
    mutating func present(_ name: String, _ period: RetentionPeriod?) {
        switch period {
        case .days(let days): member(name, days)
        case .forever: member(name, RetentionPeriod.nameOfForever)
        case nil: break
        }
    }
}
