extension Duration {
    package static func minutes(_ minutes: Int) -> Duration { Duration.seconds(60) * minutes }

    package static func hours(_ hours: Int) -> Duration { Duration.minutes(60) * hours }

    /// Days of 24 hours.
    package static func days(_ days: Int) -> Duration { Duration.hours(24) * days }
}
