import Webhooks

extension EventKind: StoredCode {
    var code: UInt8 {
        switch self {
        case .consentRecorded: 0
        case .recipientErased: 1
        case .messageDisabled: 2
        case .interactionsAvailable: 3
        case .endpointFailing: 4
        case .endpointTest: 5
        }
    }
}

extension EndpointState: StoredCode {
    var code: UInt8 {
        switch self {
        case .enabled: 1
        case .disabled: 2
        case .failing: 3
        case .gone: 4
        }
    }
}
