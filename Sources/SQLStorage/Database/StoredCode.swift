import Consent
import Identifiers
import Interactions
import Organizations
import SQL

/// A choice that is stored as a small number. What a number means never changes.
protocol StoredCode: CaseIterable, Equatable {
    var code: UInt8 { get }
}

extension StoredCode {
    init(code: Int64) throws(StorageError) {
        guard let value = Self.allCases.first(where: { Int64($0.code) == code }) else { throw .unreadable }
        self = value
    }
}

extension Enforcement: StoredCode {
    var code: UInt8 {
        switch self {
        case .restrictive: 1
        case .nonRestrictive: 2
        }
    }
}

extension TrackedActivity: StoredCode {}

extension Optional where Wrapped == TrackedActivity {
    /// The number under which it is stored; 0 for both activities together.
    var code: UInt8 { self?.code ?? 0 }

    init(code: Int64) throws(StorageError) { self = code == 0 ? nil : try TrackedActivity(code: code) }
}

extension RecipientComparison: StoredCode {
    var code: UInt8 {
        switch self {
        case .email: 1
        case .exact: 2
        }
    }
}

extension ConsentState: StoredCode {
    var code: UInt8 {
        switch self {
        case .given: 1
        case .refused: 2
        case .withdrawn: 3
        case .revoked: 4
        case .invalidated: 5
        }
    }
}

extension DecisionReason: StoredCode {
    var code: UInt8 {
        switch self {
        case .consentGiven: 1
        case .notOptedOut: 2
        case .noConsentRecord: 3
        case .consentExpired: 4
        case .consentRefused: 5
        case .consentWithdrawn: 6
        case .consentRevoked: 7
        case .consentInvalidated: 8
        case .recipientErased: 9
        case .trackingOffForMessage: 10
        }
    }
}

extension AccessedRecords: StoredCode {
    var code: UInt8 {
        switch self {
        case .consents: 1
        case .consentRequests: 2
        case .decisions: 3
        case .interactions: 4
        case .export: 5
        case .accesses: 6
        case .timeline: 7
        }
    }
}

extension Scope: StoredCode {
    var code: UInt8 {
        switch self {
        case .compose: 0
        case .consent: 1
        case .read: 2
        case .manage: 3
        case .report: 4
        case .deliver: 5
        }
    }
}

extension InteractionKind: StoredCode {}

extension InteractionSource: StoredCode {}

extension Set where Element: StoredCode {
    /// One bit for each element, at the place that its code says. No code may be more than 62.
    var bits: Int64 { reduce(0) { $0 | 1 << Int64($1.code) } }

    init(bits: Int64) { self = Set(Element.allCases.filter { bits & (1 << Int64($0.code)) != 0 }) }
}
