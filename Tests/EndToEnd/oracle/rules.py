"""Who may be tracked, as docs/concepts.md and docs/using.md say it."""

from dataclasses import dataclass, field

TRACKING, OPENS = "tracking", "open-tracking"
NOES = {
    "refused": "consentRefused",
    "withdrawn": "consentWithdrawn",
    "revoked": "consentRevoked",
    "invalidated": "consentInvalidated",
}


@dataclass(frozen=True)
class Record:
    """A consent record; times in milliseconds since 1970."""

    id: str
    purpose: str
    state: str
    occurred_at: int
    valid_until: int | None
    # The order of the commits.
    number: int

    @property
    def is_no(self) -> bool:
        return self.state != "given"


@dataclass
class Life:
    """What is known of a recipient until an erasure."""

    records: list[Record] = field(default_factory=list)
    # An erasure began this life, and no yes was recorded since.
    is_erased: bool = False

    def add(self, record: Record, now: int) -> None:
        self.records.append(record)
        if not record.is_no and (record.valid_until is None or record.valid_until > now):
            self.is_erased = False

    def in_force(self, purpose: str, at: int) -> Record | None:
        """The latest record; at the same time a no, then the one that was recorded later."""
        found = [one for one in self.records if one.purpose == purpose and one.occurred_at <= at]
        return max(found, key=lambda one: (one.occurred_at, one.is_no, one.number), default=None)

    def reason(self, purpose: str, enforcement: str, at: int) -> str:
        """The reason of a decision."""
        record = self.in_force(purpose, at)
        if record and record.is_no:
            return NOES[record.state]
        if self.is_erased:
            return "recipientErased"
        if record and (record.valid_until is None or record.valid_until > at):
            return "consentGiven"
        if enforcement == "nonRestrictive":
            return "notOptedOut"
        return "consentExpired" if record else "noConsentRecord"


def is_tracked(reason: str) -> bool:
    return reason in ("consentGiven", "notOptedOut")


@dataclass(frozen=True)
class Purposes:
    clicks: str
    opens: str

    @property
    def distinct(self) -> list[str]:
        return [self.clicks] if self.clicks == self.opens else [self.clicks, self.opens]

    def of(self, activity: str) -> str:
        return self.clicks if activity == "clicks" else self.opens


def is_recorded(life: Life, purposes: Purposes, activity: str, enforcement: str, at: int) -> bool:
    """Whether an act of a recipient with a tracking ID is recorded."""
    purpose = purposes.of(activity)
    if not is_tracked(life.reason(purpose, enforcement, at)):
        return False
    if activity == "opens" and purpose == TRACKING:
        # A no to opens counts wherever it was said.
        apart = life.in_force(OPENS, at)
        return not (apart and apart.is_no)
    return True


def recorded_elsewhere(life: Life, purposes: Purposes, activity: str, enforcement: str, at: int) -> bool:
    """Whether what a page says of an activity is recorded: of this message, or of another one that the words cover, too."""
    told = {Purposes(TRACKING, TRACKING), Purposes(TRACKING, OPENS)}
    covered = told if purposes in told else {purposes}
    return any(is_recorded(life, one, activity, enforcement, at) for one in covered)


def ended_by_no(life: Life, purpose: str, is_about_both: bool, enforcement: str, at: int) -> set[str]:
    """The purposes for which a no on a page must be recorded, if none is in force."""
    asked = [purpose]
    if is_about_both and is_tracked(life.reason(OPENS, enforcement, at)):
        asked.append(OPENS)
    return {one for one in asked if not ((found := life.in_force(one, at)) and found.is_no)}
