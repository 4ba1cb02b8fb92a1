import Foundation

/// Writes requests and reads answers.
enum WireCoding {
    /// The same value gives the same bytes in every process: an `Idempotency-Key` stands for one body.
    ///
    /// - Throws: ``ConsentLinkError/invalidArgument(_:)``.
    static func encode(_ value: some Encodable) throws(ConsentLinkError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(try WireTime.text(date))
        }
        do {
            return [UInt8](try encoder.encode(value))
        } catch let error as ConsentLinkError {
            throw error
        } catch {
            // The encoder's message may contain values.
            throw .invalidArgument("the request cannot be written as JSON")
        }
    }

    /// Members that this library does not know are ignored.
    static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: some Collection<UInt8>
    ) throws(ConsentLinkError) -> Value {
        do {
            return try decoder.decode(Value.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw .unexpectedAnswer("\(Value.self): \(error.place)")
        } catch {
            throw .unexpectedAnswer("\(Value.self)")
        }
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = WireTime.date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time")
            }
            return date
        }
        return decoder
    }
}

extension DecodingError {
    /// The place where the answer is not as expected; never its content.
    fileprivate var place: String {
        let (path, missing): ([any CodingKey], String) =
            switch self {
            case .keyNotFound(let key, let context): (context.codingPath + [key], " is missing")
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                (context.codingPath, " is of another kind")
            @unknown default: ([], "")
            }
        return "/" + path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/") + missing
    }
}
