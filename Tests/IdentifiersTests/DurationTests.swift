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

    @Test("what is less than a nanosecond or a millisecond is dropped, also before zero", arguments: [1, -1])
    func rest(_ sign: Int64) {
        let duration = Duration(secondsComponent: 2 * sign, attosecondsComponent: 345_678_901_999_999_999 * sign)
        #expect(duration.wholeNanoseconds == 2_345_678_901 * sign)
        #expect(duration.wholeMilliseconds == 2_345 * sign)
    }
}
