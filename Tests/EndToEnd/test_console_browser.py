"""The console in a real browser: each role's journey with scripts and without, every page for everybody, and what the
browser keeps of a person that was looked up: nothing."""

import errno
import re
import subprocess
import time
import urllib.parse

import httpx
import pytest
from conftest import run_to_the_end
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from harness import wire
from harness.browsing import axe, chromium, requests_of, show, wait
from harness.campaign import Campaign
from harness.client import Operator, person
from harness.eventually import eventually
from harness.faulty_disk import FaultyDisk
from harness.service import Service, binary

pytestmark = pytest.mark.browser

REASON = "complaint 4711"
WHY = "Tracked because the person had given consent, and it was in force."
WIDTHS, SCHEMES = (1280, 390), ("light", "dark")


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
        """With scripts the page says it by itself; without, when the browser asks again, as the page lets it."""
        (tmp_path / "service").mkdir()
        for disk in run_to_the_end(FaultyDisk(tmp_path / "service", has_console=True)):
            browser = start_browser(scripts=scripts)
            org = Operator(disk).make("nonRestrictive")
            people = [person() for _ in range(2)]
            composed = org.compose(people)
            assert wire.follow(composed.link(people[0])).status == 302
            sign_in(browser, disk, disk.operator_key)
            if not scripts:
                browser.get(f"{disk.console}/health?refresh=2")
            wait(browser).until(lambda browser: "No click is being lost." in text_of(browser))
            disk.fail("write", errno.ENOSPC)
            assert wire.follow(composed.link(people[1])).status == 302
            lost = time.monotonic()
            wait(browser).until(lambda browser: "Clicks are not being recorded: the disk is full." in text_of(browser))
            record_property("seconds until the page said it", round(time.monotonic() - lost, 2))
            print(f"said after {time.monotonic() - lost:.2f} s")
            disk.heal()
            assert wire.follow(composed.link(people[0])).status == 302
            assert_quiet(browser)


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


def answers(service, browser, pages):
    """Pages that answer a form, by how to get there."""

    def wrong_key():
        show(browser, pages["keys"])
        browser.find_element(By.CSS_SELECTOR, "section[aria-labelledby=make] button").click()

    def new_key():
        # Making a key asks who it is after five minutes.
        service.change("UPDATE sessions SET confirmed_at = used_at + 60000;")
        show(browser, pages["keys"])
        browser.find_element(By.CSS_SELECTOR, "fieldset input").click()
        browser.find_element(By.CSS_SELECTOR, "section[aria-labelledby=make] button").click()

    def compared():
        show(browser, pages["ledger"])
        checkpoint = browser.find_element(By.CSS_SELECTOR, "pre").text
        fill(browser, checkpoint=checkpoint)
        browser.find_element(By.CSS_SELECTOR, "section[aria-labelledby=compare] button").click()

    def refused():
        show(browser, pages["person"])
        browser.execute_script("for (const each of document.querySelectorAll('[required]')) each.required = false;")
        browser.find_element(By.CSS_SELECTOR, "main form[method=post] button").click()

    return {"wrong key": wrong_key, "new key": new_key, "compared": compared, "refused": refused}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(inside, outside, width, scheme, language):
    """Every rule of axe-core, those of WCAG 2.2 and best practices, on every page."""
    found = {}
    for browser, pages in (inside, outside):
        for name, url in pages.items():
            show(browser, f"{url}{'&' if '?' in url else '?'}lang={language}", width, scheme)
            found[name] = axe(browser)
            too_wide = browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if too_wide > 0:
                found[name] += [f"{too_wide} pixels too wide"]
            # A key that is not known is 404, and the case of a link is shown before it is taken.
            found[name] += [entry["message"] for entry in browser.get_log("browser") if "status of 404" not in entry["message"]]
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_what_answers_a_form(service, inside, scheme):
    browser, pages = inside
    found = {}
    for name, go in answers(service, browser, pages).items():
        old = browser.find_element(By.TAG_NAME, "html")
        go()
        wait(browser).until(lambda browser, old=old: browser.find_element(By.TAG_NAME, "html") != old)
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        found[name] = axe(browser)
    assert {name: faults for name, faults in found.items() if faults} == {}


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
    return [...document.querySelectorAll(all)].filter(each => each.checkVisibility()).length;
"""
# Where the keyboard is: how it can be seen, and whether something covers it.
FOCUSED = """
    const each = document.activeElement;
    if (each === document.body) return null;
    const box = each.getBoundingClientRect(), style = getComputedStyle(each);
    const x = Math.min(Math.max(box.x + Math.min(box.width, 20) / 2, 0), innerWidth - 1);
    const y = Math.min(Math.max(box.y + Math.min(box.height, 20) / 2, 0), innerHeight - 1);
    const top = document.elementFromPoint(x, y);
    if (!each.dataset.place) each.dataset.place = ++window.places || (window.places = 1);
    return {
        place: each.dataset.place, name: each.outerHTML.slice(0, 120),
        outline: style.outlineStyle, outlineWidth: parseFloat(style.outlineWidth),
        inSight: box.bottom > 0 && box.right > 0 && box.y < innerHeight && box.x < innerWidth,
        covered: !(top && (each.contains(top) || top.contains(each))),
    };
"""


def test_the_keyboard_reaches_everything(inside, outside):
    """On every page, once around: each thing once, seen and not hidden by another."""
    faults = {}
    for browser, pages in (inside, outside):
        for name, url in pages.items():
            show(browser, url)
            expected, seen = browser.execute_script(REACHABLE), []
            for _ in range(4 * expected + 8):
                browser.switch_to.active_element.send_keys(Keys.TAB)
                focused = browser.execute_script(FOCUSED)
                if focused is None or (seen and focused["place"] == seen[0]["place"] and len(seen) > 1):
                    break
                # A date has several places of its own.
                if not seen or focused["place"] != seen[-1]["place"]:
                    seen.append(focused)
            wrong = [each for each in seen if each["outline"] == "none" or each["outlineWidth"] < 2 or not each["inSight"] or each["covered"]]
            if wrong or len(seen) != expected:
                faults[name] = (expected, len(seen), [(each["name"], each) for each in wrong][:3])
    assert faults == {}


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

