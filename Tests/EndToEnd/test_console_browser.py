"""The console in a real browser: each role's journey with scripts and without, every page for everybody, and what the
browser keeps of a person that was looked up: nothing."""

import errno
import itertools
import re
import subprocess
import time
import urllib.parse

import httpx
import pytest
from conftest import run_to_the_end
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from harness import wire
from harness.browsing import OF_COLOURS, axe, chromium, look_as, requests_of, show, wait
from harness.campaign import Campaign
from harness.client import Operator, person
from harness.eventually import eventually
from harness.faulty_disk import FaultyDisk
from harness.service import Service, binary, free_port

pytestmark = pytest.mark.browser

REASON = "complaint 4711"
WHY = "Tracked because the person had given consent, and it was in force."
WIDTHS = (1280, 390)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    yield from run_to_the_end(Service(tmp_path_factory.mktemp("console"), has_console=True))


@pytest.fixture(scope="module")
def campaign(service):
    campaign = Campaign(service, Operator(service).make("restrictive"))
    campaign.act()
    campaign.org.record(person(), "given", evidence={"method": "form", "notice": {"id": "privacy", "version": "1"}})
    return campaign


@pytest.fixture(scope="module")
def org(campaign):
    return campaign.org


@pytest.fixture(scope="module")
def ana(org):
    """Somebody who consented, clicked, and withdrew later."""
    ana = person("ana")
    link = org.tracked_link(ana)
    assert wire.follow(link.url).status == 302
    org.settle()
    org.record(ana, "withdrawn")
    org.compose([ana])
    return ana


@pytest.fixture
def start_browser(tmp_path):
    browsers = []

    def start(*, scripts=True):
        (tmp_path / "downloads").mkdir(exist_ok=True)
        browsers.append(chromium(tmp_path / "profile", scripts=scripts, downloads=tmp_path / "downloads"))
        return browsers[-1]

    yield start
    for browser in browsers:
        browser.quit()


def text_of(browser):
    return browser.find_element(By.TAG_NAME, "body").text


def press(browser, selector):
    """Clicks what leads to another page, and waits for it."""
    old = browser.find_element(By.TAG_NAME, "html")
    browser.find_element(By.CSS_SELECTOR, selector).click()
    wait(browser).until(lambda browser: browser.find_element(By.TAG_NAME, "html") != old)
    wait(browser).until(lambda browser: browser.find_elements(By.TAG_NAME, "footer"))


def follow(browser, name):
    old = browser.find_element(By.TAG_NAME, "html")
    browser.find_element(By.PARTIAL_LINK_TEXT, name).click()
    wait(browser).until(lambda browser: browser.find_element(By.TAG_NAME, "html") != old)
    wait(browser).until(lambda browser: browser.find_elements(By.TAG_NAME, "footer"))


def downloaded(folder, count=1):
    """The files of a folder once there are so many and none is on its way."""

    def complete():
        files = [file for file in folder.iterdir() if not file.name.startswith(".") and file.suffix != ".crdownload"]
        return files if len(files) == count == len(list(folder.iterdir())) else None

    return eventually(complete)


def sign_in(browser, service, key):
    browser.get(f"{service.console}/")
    browser.find_element(By.ID, "key").send_keys(key)
    press(browser, "main button")
    assert browser.current_url.startswith(service.console) and "/sign-in" not in browser.current_url


def fill(browser, **fields):
    for name, value in fields.items():
        field = browser.find_element(By.ID, name)
        field.clear()
        field.send_keys(value)


def assert_quiet(browser):
    """No page broke its own policy, nor lacked a part."""
    assert [entry["message"] for entry in browser.get_log("browser") if "status of 4" not in entry["message"]] == []


def look_up(browser, ana):
    follow(browser, "Person")
    fill(browser, recipient=ana, reason=REASON)
    press(browser, "main form[method=post] button")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
class TestJourneys:
    def test_a_marketer_finds_a_rate_and_its_bounds(self, service, campaign, org, start_browser, scripts):
        browser = start_browser(scripts=scripts)
        sign_in(browser, service, org.with_scopes("report").key)
        name = org.expect(200, "GET", org.path(f"/messages/{campaign.message}")).json()["name"]
        follow(browser, name)
        report = campaign.report()
        rate, bounds = report["rates"]["clickers"], report["bounds"]["clickers"]
        page = text_of(browser)
        assert f"{rate['value']:.1%}" in page
        assert f"between {rate['low']:.1%} and {rate['high']:.1%}, with 95% confidence" in page
        assert f"{bounds['low']:.1%} to {bounds['high']:.1%}" in page
        browser.find_element(By.CSS_SELECTOR, "figure details summary").click()
        assert browser.find_element(By.CSS_SELECTOR, "figure details table").is_displayed()
        assert_quiet(browser)

    def test_an_auditor_says_why_ana_was_tracked_and_proves_it(self, service, org, ana, start_browser, tmp_path, scripts):
        """Signing in, the form, the answer, the proof: four steps."""
        browser = start_browser(scripts=scripts)
        sign_in(browser, service, org.with_scopes("read").key)
        look_up(browser, ana)
        assert WHY in text_of(browser)
        (tracked,) = [found["id"] for found in org.query_decisions(recipient=ana) if found["outcome"] == "tracked"]
        browser.find_element(By.CSS_SELECTOR, f"a[href$='/decisions/{tracked}/proof']").click()
        (proof,) = downloaded(tmp_path / "downloads")
        key = org.expect(200, "GET", org.path("/ledger")).json()["verifierKey"]
        done = subprocess.run([str(binary()), "verify", str(proof), "--key", key], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and done.stdout.split("\n")[0].endswith(" holds."), done
        assert_quiet(browser)

    def test_an_operator_sees_a_full_disk(self, start_browser, tmp_path, scripts, record_property):
        """With scripts the page says it by itself; without, when the browser asks again, as the page lets it. Both ask
        every second, and the second time that is asked says it."""
        (tmp_path / "service").mkdir()
        for disk in run_to_the_end(FaultyDisk(tmp_path / "service", has_console=True)):
            browser = start_browser(scripts=scripts)
            org = Operator(disk).make("nonRestrictive")
            people = [person() for _ in range(2)]
            composed = org.compose(people)
            assert wire.follow(composed.link(people[0])).status == 302
            sign_in(browser, disk, disk.operator_key)
            if not scripts:
                press(browser, "a[href*='refresh=']")
            selector, attribute = ("[data-live-every]", "data-live-every") if scripts else ("meta[http-equiv=refresh]", "content")
            assert browser.find_element(By.CSS_SELECTOR, selector).get_attribute(attribute) == "1", "asks every second"
            wait(browser).until(lambda browser: "No click is being lost." in text_of(browser))
            disk.fail("write", errno.ENOSPC)
            assert wire.follow(composed.link(people[1])).status == 302
            lost = time.monotonic()
            looks = looks_until(browser, f"{disk.console}/health", "Clicks are not being recorded: the disk is full.")
            record_property("seconds until the page said it", round(time.monotonic() - lost, 2))
            print(f"said after {time.monotonic() - lost:.2f} s and {looks} looks")
            disk.heal()
            assert wire.follow(composed.link(people[0])).status == 302
            assert_quiet(browser)


def double_click(browser, selector):
    """The second click comes while the first one is answered."""
    button = browser.find_element(By.CSS_SELECTOR, selector)
    browser.execute_script("const [button] = arguments; button.click(); setTimeout(() => button.click(), 5)", button)


def test_a_double_click_makes_one_key_and_shows_it(tmp_path, start_browser):
    """The answer to the first press is shown also where it takes a while."""
    (tmp_path / "service").mkdir()
    for disk in run_to_the_end(FaultyDisk(tmp_path / "service", file="consentlink.db", has_console=True)):
        browser, org = start_browser(), Operator(disk).make("restrictive")
        link = Operator(disk).expect(201, "POST", "/v1/console/sign-in-links").json()["url"]
        disk.delay("sync", 0.3)
        browser.get(link)
        double_click(browser, "main form button")
        wait(browser).until(lambda browser: browser.current_url.endswith("/health"))
        browser.get(f"{disk.console}/orgs/{org.id}/keys")
        before = len(org.expect(200, "GET", org.path("/keys")).json()["keys"])
        browser.find_element(By.CSS_SELECTOR, "fieldset input").click()
        double_click(browser, "section[aria-labelledby=make] button")
        wait(browser).until(lambda browser: "The new key" in text_of(browser))
        assert len(org.expect(200, "GET", org.path("/keys")).json()["keys"]) == before + 1
        # A page to which the browser goes back can send its form.
        browser.back()
        wait(browser).until(lambda browser: browser.find_elements(By.CSS_SELECTOR, "section[aria-labelledby=make]"))
        press(browser, "section[aria-labelledby=make] button")
        disk.heal()


def test_health_leads_to_the_sign_in_when_its_session_has_ended(service, org, start_browser):
    """The service is well: no page says that it does not answer."""
    browser = start_browser()
    sign_in(browser, service, service.operator_key)
    assert "No click is being lost." in text_of(browser)
    browser.switch_to.new_window("tab")
    browser.get(f"{service.console}/sessions")
    press(browser, "form[action='/sign-out'] button")
    browser.close()
    browser.switch_to.window(browser.window_handles[0])
    wait(browser).until(lambda browser: browser.current_url == f"{service.console}/sign-in?next=%2Fhealth")


def looks_until(browser, url, words):
    """Returns how often the browser has asked for a page until it said these words. When the third look has begun, the
    answer to the second one is shown."""
    requests_of(browser)
    begun = 0

    def is_said():
        nonlocal begun
        begun += sum(asked.startswith(url) for asked, _ in requests_of(browser))
        is_due = begun > 2
        try:
            is_there = words in text_of(browser)
        except WebDriverException:
            return False
        assert is_there or not is_due, f"not said after {begun} looks"
        return is_there

    eventually(is_said)
    return begun


def needles(recipient):
    """What a person could be found by: in files also as UTF-16, and as URLs have it."""
    name = recipient.split("@")[0]
    words = [recipient, name, urllib.parse.quote(recipient, safe="")]
    return [word.encode(coding) for word in words for coding in ("utf-8", "utf-16-le")]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_nothing_is_kept_of_a_person_that_was_looked_up(service, org, start_browser, tmp_path, scripts):
    ana = person("anastasia")
    link = org.tracked_link(ana)
    assert wire.follow(link.url).status == 302
    org.settle()
    browser = start_browser(scripts=scripts)
    sign_in(browser, service, org.with_scopes("read", "manage").key)
    titles, sent = [], []

    def note():
        titles.append(browser.title)
        sent.extend(requests_of(browser))

    look_up(browser, ana)
    assert ana in text_of(browser)
    note()
    case = browser.current_url
    browser.find_element(By.CSS_SELECTOR, "a[href$='/proof']").click()
    browser.find_element(By.CSS_SELECTOR, "a[href$='/export']").click()
    downloaded(tmp_path / "downloads", 2)
    browser.get(f"{case}?lang=de")
    note()
    browser.get(f"{service.console}/orgs/{org.id}/access")
    note()
    # A look at who looked, which names the person again.
    row = browser.find_element(By.CSS_SELECTOR, "tbody a")
    browser.get(row.get_attribute("href"))
    fill(browser, reason=REASON)
    press(browser, "main form[method=post] button")
    assert ana in text_of(browser)
    note()
    browser.get(f"{service.console}/orgs/{org.id}/person?lang=en")
    fill(browser, recipient=ana)
    press(browser, "footer a[hreflang=de]")
    note()
    browser.get(case)
    fill(browser, again=ana)
    press(browser, "main form[action$='/erase'] button")
    assert "erase" in browser.current_url
    note()
    messages = [entry["message"] for entry in browser.get_log("browser")]
    browser.quit()
    for seen in titles + messages + [url for url, _ in sent] + [str(headers) for _, headers in sent]:
        assert not any(needle.decode("utf-8", "ignore") in seen for needle in needles(ana)[::2]), seen
    assert len(sent) > 20 and any("Referer" in headers for _, headers in sent)
    files = [file for file in (tmp_path / "profile").rglob("*") if file.is_file()]
    assert any(service.console.encode() in file.read_bytes() for file in files), "the history is not written yet"
    found = [file.name for file in files if any(needle in file.read_bytes() for needle in needles(ana))]
    assert found == []
    for text in (service.log_text(), httpx.get(f"{service.api}/metrics").text):
        assert ana not in text and ana.split("@")[0] not in text and REASON not in text


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_nothing_is_kept_of_a_key_that_was_typed(service, org, start_browser, tmp_path, scripts):
    """Not of one that signed in, of one that has no role here, nor of one that was mistyped: all but its end is right."""
    right, roleless = org.with_scopes("report").key, org.with_scopes("compose").key
    mistyped = right[:-6] + right[:-7:-1]
    browser = start_browser(scripts=scripts)
    for key, words in ((mistyped, "This key does not exist."), (roleless, "This account has no role here.")):
        browser.get(f"{service.console}/sign-in")
        fill(browser, key=key)
        press(browser, "main button")
        assert words in text_of(browser)
    sign_in(browser, service, right)
    browser.get(f"{service.console}/sessions")
    sent = requests_of(browser)
    browser.quit()
    files = [file for file in (tmp_path / "profile").rglob("*") if file.is_file()]
    assert any(service.console.encode() in file.read_bytes() for file in files), "the history is not written yet"
    for key in (right, roleless):
        kept = [key[:-6].encode(coding) for coding in ("utf-8", "utf-16-le")]
        assert [file.name for file in files if any(needle in file.read_bytes() for needle in kept)] == []
        assert not any(key[:-6] in url or key[:-6] in str(headers) for url, headers in sent)
    assert right[:-6] not in service.log_text() and roleless not in service.log_text()


@pytest.fixture(scope="module")
def inside(service, org, ana, campaign, tmp_path_factory):
    """The operator's browser, and every page there is, by what it shows."""
    browser = chromium(tmp_path_factory.mktemp("profile"))
    sign_in(browser, service, service.operator_key)
    at = f"{service.console}/orgs/{org.id}"
    pages = {name: f"{at}/{name}" for name in ("campaigns", "consent", "person", "decisions", "ledger", "access", "keys", "processing")}
    pages |= {name: f"{service.console}/{name}" for name in ("health", "organizations", "signing-keys", "upkeep", "sessions", "nowhere")}
    pages["message"] = f"{at}/campaigns/{campaign.message}"
    pages["new message"] = f"{at}/campaigns/{org.make_message({'name': 'new', 'link': 'https://shop.example/'})['id']}"
    pages["sample"] = f"{at}/decisions/sample?seed=a-seed&size=10"
    pages["closed case"] = f"{at}/person/{'0' * 32}"
    pages["confirm"] = f"{service.console}/confirm"
    browser.get(pages["person"])
    fill(browser, recipient=ana, reason=REASON)
    press(browser, "main form[method=post] button")
    pages["case"] = browser.current_url
    look = org.pages("/accesses", "accesses")[-1]["id"]
    pages["look"] = f"{at}/access/{look}"
    browser.get(pages["look"])
    fill(browser, reason=REASON)
    press(browser, "main form[method=post] button")
    pages["looks at a person"] = browser.current_url
    yield browser, pages
    browser.quit()


@pytest.fixture(scope="module")
def outside(service, tmp_path_factory):
    """A browser of nobody."""
    browser = chromium(tmp_path_factory.mktemp("profile"))
    yield browser, {"sign-in": f"{service.console}/sign-in", "link": f"{service.console}/sign-in/link/{'x' * 43}"}
    browser.quit()


def answers(service, org, browser, pages):
    """Pages that answer a form, by how to get there, in this order."""

    def send(page, button, **fields):
        show(browser, pages[page])
        browser.execute_script("for (const each of document.querySelectorAll('[required]')) each.required = false;")
        fill(browser, **fields)
        press(browser, button)

    make_key, erase = "section[aria-labelledby=make] button", "main form[action$='/erase'] button"
    doomed = person("doomed")
    org.tracked_link(doomed)

    def new_key():
        # Making a key asks who it is after five minutes.
        service.change("UPDATE sessions SET confirmed_at = used_at + 60000;")
        show(browser, pages["keys"])
        browser.find_element(By.CSS_SELECTOR, "fieldset input").click()
        press(browser, make_key)

    def compared():
        show(browser, pages["ledger"])
        checkpoint = browser.find_element(By.CSS_SELECTOR, "pre").text
        send("ledger", "section[aria-labelledby=compare] button", checkpoint=checkpoint)

    def mistyped():
        send("person", "main form[method=post] button", recipient=doomed, reason=REASON)
        fill(browser, again="somebody else")
        press(browser, erase)

    def erased():
        fill(browser, again=doomed)
        press(browser, erase)

    def asked():
        service.change("UPDATE sessions SET confirmed_at = confirmed_at - 3600000;")
        send("organizations", make_key, id="new")

    def not_proved():
        fill(browser, key="clk_of_nobody")
        press(browser, "main form button")

    return {
        "no scope": (lambda: send("keys", make_key), "Choose at least one scope."), "new key": (new_key, "clk_"),
        "compared": (compared, "Nothing was changed"),
        "refused": (lambda: send("person", "main form[method=post] button"), "is missing"),
        "mistyped": (mistyped, "Nothing was erased."), "erased": (erased, "The person was erased."),
        "asked who it is": (asked, "Confirm"), "not proved": (not_proved, "This key does not exist."),
    }  # fmt: skip


@pytest.fixture(scope="module")
def troubled(tmp_path_factory):
    """A browser of nobody, and pages of a service in trouble: its disk is full, its provider is away, and keys are
    guessed. By how to get there, in this order, with what they say."""
    folder = tmp_path_factory.mktemp("troubled")
    disk = FaultyDisk(folder, has_console=True)
    secret = folder / "client-secret"
    secret.write_text("secret")
    secret.chmod(0o600)
    disk.settings |= {
        "CONSENTLINK_CONSOLE_OIDC_ISSUER": f"http://127.0.0.1:{free_port()}", "CONSENTLINK_CONSOLE_OIDC_CLIENT_ID": "console",
        "CONSENTLINK_CONSOLE_OIDC_CLIENT_SECRET_FILE": str(secret), "CONSENTLINK_CONSOLE_OIDC_ROLES_CLAIM": "roles",
        "CONSENTLINK_CONSOLE_OIDC_ROLES": "root=operator",
    }  # fmt: skip
    for disk in run_to_the_end(disk):
        browser = chromium(folder / "profile")

        def lose():
            composed = Operator(disk).make("nonRestrictive").compose([person()])
            disk.fail("write", errno.ENOSPC)
            assert wire.follow(composed.link(composed.payloads[0]["recipient"])).status == 302
            sign_in(browser, disk, disk.operator_key)

        def leave():
            browser.delete_all_cookies()
            browser.get(f"{disk.console}/sign-in")

        def guess(number=0):
            browser.get(f"{disk.console}/sign-in")
            fill(browser, key=f"clk_{number:02}{'x' * 41}")
            press(browser, "main button")

        def guess_often():
            for number in range(1, 30):
                guess(number)
                if "Too many attempts" in text_of(browser):
                    break

        yield browser, {
            "lost clicks": (lose, "Clicks are not being recorded: the disk is full."), "provider": (leave, "Sign in with your organization"),
            "provider away": (lambda: press(browser, "a[href^='/sign-in/provider']"), "is not possible right now"),
            "wrong key": (guess, "This key does not exist."), "too many": (guess_often, "Too many attempts"),
        }  # fmt: skip
        browser.quit()
        disk.heal()


def faults_of(browser, width):
    """What is wrong with the page that is shown, on a screen of this width: in light by every rule of axe-core, those of
    WCAG 2.2 and best practices; in dark, and in colours that the reader chose, by those of colours."""
    look_as(browser, width)
    faults = axe(browser)
    for features in ({"scheme": "dark"}, {"forced_colors": "active"}):
        # Colours that change by and by are not looked at halfway.
        look_as(browser, width, **features, prefers_reduced_motion="reduce")
        faults += [(str(features), *fault) for fault in axe(browser, OF_COLOURS)]
    too_wide = browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    look_as(browser, width)
    return faults + ([f"{too_wide} pixels too wide"] if too_wide > 0 else [])


@pytest.mark.parametrize("width, language", [
    (1280, "en"), (390, "de"),
    pytest.param(1280, "de", marks=pytest.mark.slow), pytest.param(390, "en", marks=pytest.mark.slow),
])  # fmt: skip
def test_axe_finds_nothing(inside, outside, width, language):
    found = {}
    for browser, pages in (inside, outside):
        for name, url in pages.items():
            show(browser, f"{url}{'&' if '?' in url else '?'}lang={language}", width)
            found[name] = faults_of(browser, width)
            # A key that is not known is 404, a case that is closed 410, and the case of a link is shown before it is taken.
            found[name] += [entry["message"] for entry in browser.get_log("browser") if "status of 4" not in entry["message"]]
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_axe_and_the_keyboard_find_nothing_on_what_answers_a_form(service, org, inside, troubled):
    browser, pages = inside
    show(browser, f"{pages['sessions']}?lang=en")
    found = {}
    for browser, ways in ((browser, answers(service, org, browser, pages)), troubled):
        for name, (go, words) in ways.items():
            go()
            assert words in text_of(browser), name
            for width in WIDTHS:
                found[name, width] = faults_of(browser, width) + walk(browser)
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_nothing_moves_for_those_who_want_no_motion(inside):
    """And something does for others, so that this test would see it."""
    moving = """
        const style = each => getComputedStyle(each);
        return [...document.querySelectorAll('*')].filter(each =>
            style(each).transitionDuration.split(', ').some(time => parseFloat(time) > 0)
            || style(each).animationName !== 'none' || style(each).scrollBehavior === 'smooth').length
            + document.getAnimations().length;
    """
    browser, pages = inside
    found = {}
    for name, url in pages.items():
        show(browser, url)
        look_as(browser, prefers_reduced_motion="no-preference")
        others = browser.execute_script(moving)
        assert others > 0 or name != "health"
        look_as(browser, prefers_reduced_motion="reduce")
        assert browser.execute_script("return matchMedia('(prefers-reduced-motion: reduce)').matches")
        found[name] = browser.execute_script(moving)
    assert {name: count for name, count in found.items() if count} == {}


def test_charts_are_seen_in_the_colours_of_the_reader(inside):
    """Each part of a chart has an outline or a filling that is not that of the page."""
    browser, pages = inside
    marks = """
        const style = each => getComputedStyle(each), page = style(document.body).backgroundColor;
        const all = [...document.querySelectorAll('figure svg :is(rect, path, polyline, circle):not(.track)')];
        const isSeen = each => [style(each).fill, style(each).stroke].some(
            colour => colour !== 'none' && colour !== page && !colour.startsWith('rgba(0, 0, 0, 0'));
        return [matchMedia('(forced-colors: active)').matches, all.length, all.filter(each => !isSeen(each)).map(each => each.outerHTML)];
    """
    for name in ("message", "consent", "decisions", "health"):
        show(browser, pages[name])
        look_as(browser, forced_colors="active")
        is_active, count, unseen = browser.execute_script(marks)
        assert is_active and count > 0 and unseen == [], name


def test_axe_would_find_something(inside):
    browser, pages = inside
    show(browser, pages["keys"])
    browser.execute_script("document.documentElement.removeAttribute('lang'); document.querySelector('main button').remove();")
    browser.execute_script("document.querySelector('#name').removeAttribute('id')")
    assert {"html-has-lang", "label"} <= {rule for rule, _ in axe(browser)}


@pytest.mark.parametrize("width", [320, 1280])
def test_every_page_fits(inside, outside, width):
    """Nothing scrolls sideways at 320 pixels (WCAG 2.2, 1.4.10) but tables in their own frame."""
    found = {}
    for browser, pages in (inside, outside):
        for name, url in pages.items():
            show(browser, url, width)
            found[name] = browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert {name: excess for name, excess in found.items() if excess > 0} == {}


# What the keyboard should reach: all that can be used and is shown.
REACHABLE = """
    const all = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
    return [...document.querySelectorAll(all)].filter(each => each.checkVisibility({visibilityProperty: true})).length;
"""
# Notes before each Tab where the keyboard is: how it can be seen, and whether something covers it.
WALK = """
    window.walked = [];
    window.noteFocus = () => {
        const each = document.activeElement;
        if (each === document.body) return walked.push(null);
        const box = each.getBoundingClientRect(), style = getComputedStyle(each);
        const x = Math.min(Math.max(box.x + Math.min(box.width, 20) / 2, 0), innerWidth - 1);
        const y = Math.min(Math.max(box.y + Math.min(box.height, 20) / 2, 0), innerHeight - 1);
        const top = document.elementFromPoint(x, y);
        if (!each.dataset.place) each.dataset.place = ++window.places || (window.places = 1);
        walked.push({
            place: each.dataset.place, name: each.outerHTML.slice(0, 120),
            outline: style.outlineStyle, outlineWidth: parseFloat(style.outlineWidth),
            inSight: box.bottom > 0 && box.right > 0 && box.y < innerHeight && box.x < innerWidth,
            covered: !(top && (each.contains(top) || top.contains(each))),
        });
    };
    if (!window.isNoting) addEventListener('keydown', event => event.key === 'Tab' && noteFocus(), true);
    window.isNoting = true;
    // From the page's begin, wherever the last walk ended.
    const start = document.createElement('p');
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
    start.remove();
    scrollTo(0, 0);
    // A date has several places of its own.
    return 4 * document.querySelectorAll('input[type=date]').length;
"""


def walk(browser):
    """What is wrong with a walk by keyboard, once around the page that is shown: each thing is reached once, seen, and
    not hidden by another."""
    expected = browser.execute_script(REACHABLE)
    more = browser.execute_script(WALK)
    browser.switch_to.active_element.send_keys(Keys.TAB * (expected + more + 2))
    seen = []
    for focused in itertools.dropwhile(lambda each: each is None, browser.execute_script("noteFocus(); return walked")):
        if focused is None or (len(seen) > 1 and focused["place"] == seen[0]["place"]):
            break
        if not seen or focused["place"] != seen[-1]["place"]:
            seen.append(focused)
    faults = [each for each in seen if each["outline"] == "none" or each["outlineWidth"] < 2 or not each["inSight"] or each["covered"]]
    return faults[:3] + ([f"{len(seen)} of {expected} are reached"] if len(seen) != expected else [])


@pytest.mark.parametrize("width", WIDTHS)
def test_the_keyboard_reaches_everything(inside, outside, width):
    faults = {}
    for browser, pages in (inside, outside):
        for name, url in pages.items():
            show(browser, url, width)
            faults[name] = walk(browser)
    assert {name: wrong for name, wrong in faults.items() if wrong} == {}


def test_a_walk_would_find_something(inside):
    browser, pages = inside
    show(browser, pages["keys"])
    browser.execute_script("document.querySelector('main button').style.outline = 'none'")
    browser.execute_script("document.querySelector('footer a').tabIndex = -1")
    button, count = walk(browser)
    assert button["outline"] == "none" and "are reached" in count


def test_the_skip_link_leads_to_the_content(inside):
    browser, pages = inside
    show(browser, pages["campaigns"])
    browser.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.get_attribute("class") == "skip"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.execute_script("return document.activeElement.id") == "content"


def test_every_chart_states_its_finding_and_has_its_table(inside):
    browser, pages = inside
    counted = charts = 0
    for name in ("message", "new message", "consent", "decisions", "health"):
        show(browser, pages[name])
        for figure in browser.find_elements(By.TAG_NAME, "figure"):
            counted += 1
            caption = figure.find_element(By.TAG_NAME, "figcaption").text
            assert re.search(r"\w+ \w+", caption), name
            numbers = figure.find_elements(By.CSS_SELECTOR, "details table, details .empty")
            assert len(numbers) == 1, (name, caption)
            charts += numbers[0].tag_name == "table"
    assert counted > 10 and charts > 8

