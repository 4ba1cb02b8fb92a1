import JSON
import Organizations

extension JSONShape where Value == RetentionChange {
    static var retention: JSONShape {
        .object { fields throws(BodyProblems) in
            let change = RetentionChange(
                interactions: fields.optional("interactionsDays", .retentionPeriod),
                decisions: fields.optional("decisionsDays", .retentionPeriod))
            try fields.finish()
            return change
        }
    }
}

extension JSONShape where Value == RetentionPeriod {
    /// A number of days, or the word for no end.
    fileprivate static var retentionPeriod: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            if case .string(let text) = value, text == RetentionPeriod.nameOfForever { return .forever }
            guard case .number(let number) = value, let days = number.integer(as: Int.self),
                Retention.allowedDays.contains(days)
            else {
                let (least, most) = (Retention.allowedDays.lowerBound, Retention.allowedDays.upperBound)
                throw BodyProblems(
                    pointer, "must be an integer from \(least) to \(most), or \"\(RetentionPeriod.nameOfForever)\"")
            }
            return .days(days)
        }
    }
}

extension JSONWriter {
    mutating func member(_ name: String, _ period: RetentionPeriod) {
        switch period {
        case .days(let days): member(name, days)
        case .forever: member(name, RetentionPeriod.nameOfForever)
        }
    }
}
