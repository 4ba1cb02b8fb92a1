import Identifiers
import Testing

@Suite struct DurationTests {
    @Test("minutes, hours and days have the length of their seconds, also before zero")
    func units() {
        #expect(Duration.minutes(5) == .seconds(300))
        #expect(Duration.hours(36) == .seconds(129_600))
        #expect(Duration.days(366) == .seconds(31_622_400))
        #expect(Duration.days(-1) == .zero - .hours(24))
        #expect(Timestamp.millisecondsPerHour == Duration.hours(1).wholeMilliseconds)
        #expect(Timestamp.millisecondsPerDay == Duration.days(1).wholeMilliseconds)
    }
}
