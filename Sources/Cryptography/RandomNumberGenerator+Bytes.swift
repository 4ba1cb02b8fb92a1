extension RandomNumberGenerator {
    /// `count` random bytes. As secure as the generator is.
    package mutating func randomBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
