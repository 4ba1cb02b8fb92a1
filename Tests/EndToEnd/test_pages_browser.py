"""The pages that people see in a real browser, in every language: legible on a telephone and on a screen, usable by
keyboard alone, without scripts and with a screen reader."""

import io

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from harness import browsing
from harness.browsing import OF_COLOURS, axe, chromium, wait
from harness.client import person
from harness.pages import (
    CONSENT_PAGE,
    LANGUAGES,
    PURPOSES,
    SOME_LANGUAGES,
    asked_apart,
    every_page,
    request_page,
)

pytestmark = pytest.mark.browser

WIDTHS = (390, 1280)


@pytest.fixture(scope="module")
def pages(operator):
    org = operator.make("restrictive")
    org.set(name="Söhne & Töchter", consentUrl=CONSENT_PAGE)
    return org, every_page(org)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = chromium(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.quit()


@pytest.fixture
def without_scripts(tmp_path):
    browser = chromium(tmp_path / "profile", scripts=False)
    yield browser
    browser.quit()


def show(browser, org, path, width=1280, scheme="light"):
    browsing.show(browser, f"{org.service.public}{path}", width, scheme)


def headings(browser):
    return [each.text for each in browser.find_elements(By.TAG_NAME, "h1")]


# What stands on a page, measured at once.
MEASURES = """
    const page = document.documentElement;
    const elements = [...document.querySelectorAll('h1, h2, p, button, main a, nav a')];
    return {
        widths: [page.scrollWidth, page.clientWidth],
        elements: elements.map(each => {
            const {x, width, height} = each.getBoundingClientRect();
            return {
                name: each.tagName, said: each.innerText.trim(), left: x, right: x + width, width, height,
                shown: each.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}),
                cut: each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline',
            };
        }),
    };
"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_legible(browser, pages, language, width, tmp_path):
    """A picture of each: something is drawn, nothing is cut off, everything that is said is in sight or below it."""
    org, paths = pages
    for state, (path, _) in paths.items():
        show(browser, org, f"{path}?lang={language}", width)
        found = browser.execute_script(MEASURES)
        assert found["widths"][0] <= found["widths"][1] <= width, f"{state} scrolls sideways"
        assert len(found["elements"]) >= 2 + len(LANGUAGES)
        for each in found["elements"]:
            assert each["shown"] and each["said"] and not each["cut"], (state, each)
            assert 0 <= each["left"] and each["right"] <= width, (state, each)
            if each["name"] in ("A", "BUTTON"):
                assert min(each["width"], each["height"]) >= 24, "WCAG 2.2, 2.5.8"
        picture = tmp_path / f"{language}-{width}-{state.replace(' ', '-')}.png"
        assert browser.save_screenshot(str(picture))
        assert picture_size(picture)[0] == width
        assert picture.stat().st_size > 5000, f"{state}: an empty picture"


def picture_size(path):
    """Width and height of a PNG (RFC 2083, 4.1.1)."""
    with io.FileIO(path) as file:
        start = file.read(24)
    assert start[:8] == b"\x89PNG\r\n\x1a\n" and start[12:16] == b"IHDR"
    return int.from_bytes(start[16:20], "big"), int.from_bytes(start[20:24], "big")


@pytest.mark.parametrize("language", SOME_LANGUAGES)
def test_axe_finds_nothing(browser, pages, language):
    """Every rule of axe-core, those of WCAG 2.2 and best practices."""
    org, paths = pages
    for state, (path, _) in paths.items():
        show(browser, org, f"{path}?lang={language}")
        assert axe(browser) == [], state


def test_axe_finds_nothing_in_the_dark(browser, pages):
    """The colours are all that differs, in every language."""
    org, paths = pages
    for state, (path, _) in paths.items():
        show(browser, org, path, scheme="dark")
        assert axe(browser, OF_COLOURS) == [], state


def test_axe_would_find_something(browser, pages):
    org, paths = pages
    show(browser, org, paths["on"][0])
    browser.execute_script("document.documentElement.removeAttribute('lang'); document.querySelector('button').textContent = ''")
    assert {"html-has-lang", "button-name"} <= {rule for rule, _ in axe(browser)}


def tab(browser):
    browser.switch_to.active_element.send_keys(Keys.TAB)
    return browser.switch_to.active_element


@pytest.mark.parametrize("language", SOME_LANGUAGES)
def test_the_keyboard_reaches_everything_in_order_and_presses_it(browser, pages, language):
    org, _ = pages
    who = person()
    path = f"{asked_apart(org, who)}?lang={language}"
    show(browser, org, path, 390)
    expected = [each.text for each in browser.find_elements(By.CSS_SELECTOR, "main button, nav a")]
    assert len(expected) == 3 + len(LANGUAGES)
    before, found = headings(browser), []
    for _ in expected:
        focused = tab(browser)
        assert focused.value_of_css_property("outline-style") == "solid", "where the keyboard is can be seen"
        found.append(focused.text)
    assert found == expected

    def press_the_first():
        show(browser, org, path, 390)
        heading = headings(browser)
        tab(browser).send_keys(Keys.ENTER)
        wait(browser).until(lambda browser: headings(browser) != heading)

    press_the_first()
    states = {each["purpose"]: each["state"] for each in org.consent(who)["current"]}
    assert states == {PURPOSES["clicks"]: "withdrawn", PURPOSES["opens"]: "given"}
    press_the_first()
    assert before != headings(browser)
    assert {each["state"] for each in org.consent(who)["current"]} == {"withdrawn"}
    assert {each["evidence"].get("language") for each in org.consent(who)["history"][2:]} == {language}


@pytest.mark.parametrize("answer", ["given", "refused"])
def test_the_keyboard_answers_a_request_without_scripts(without_scripts, pages, answer):
    """Yes and no are alike: as large, as coloured, one press each."""
    org, _ = pages
    who = person()
    show(without_scripts, org, request_page(org.ask_for_consent(who)["url"]), 390)
    buttons = without_scripts.find_elements(By.CSS_SELECTOR, "main button")
    assert [each.get_attribute("value") for each in buttons] == ["given", "refused"]
    looks = [
        [each.value_of_css_property(name) for name in ("background-color", "color", "font-weight", "font-size", "border")]
        for each in buttons
    ]
    assert looks[0] == looks[1]
    assert buttons[0].size["height"] == buttons[1].size["height"]
    focused = tab(without_scripts)
    while focused.get_attribute("value") != answer:
        focused = tab(without_scripts)
    focused.send_keys(Keys.ENTER)
    wait(without_scripts).until(lambda _: org.consent(who)["history"])
    (record,) = org.consent(who)["history"]
    assert (record["state"], record["evidence"]["method"]) == (answer, "consent-request")


LONG_TEXT = "\n".join(f"Line {line} of many." for line in range(60))
LONG_NOTICE = {"id": "privacy", "version": "3", "language": "en", "text": LONG_TEXT}


@pytest.mark.parametrize("purpose", PURPOSES.values())
def test_after_a_press_what_counts_is_in_sight_however_long_the_notice_is(browser, pages, purpose):
    org, _ = pages
    request = org.ask_for_consent(person(), notice=LONG_NOTICE, purposes=list(PURPOSES.values()))
    show(browser, org, request_page(request["url"]), 390)
    press = f"//form[input[@value='{purpose}']]//button[@value='given']"
    browser.find_element(By.XPATH, press).click()
    said = "//p[contains(., 'You said yes')]"
    wait(browser).until(lambda browser: browser.find_elements(By.XPATH, said))
    top = "return [arguments[0].getBoundingClientRect().top, window.innerHeight]"
    wait(browser).until(lambda browser: browser.execute_script("return document.readyState") == "complete")
    place, height = browser.execute_script(top, browser.find_element(By.XPATH, said))
    assert 0 <= place < height
    group = browser.find_element(By.XPATH, f"//form[input[@value='{purpose}']]//*[@role='group']")
    question = browser.find_element(By.XPATH, f"//section[.//input[@value='{purpose}']]/h2")
    assert group.accessible_name == question.text


def test_languages_are_switched_and_parts_are_withdrawn_without_scripts(without_scripts, pages):
    org, paths = pages
    who = person()
    show(without_scripts, org, asked_apart(org, who))
    for language in ("sv", "pl", "de"):
        without_scripts.find_element(By.CSS_SELECTOR, f"nav a[hreflang={language}]").click()
        wait(without_scripts).until(
            lambda browser: browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == language)  # fmt: skip
    before = headings(without_scripts)
    without_scripts.find_element(By.CSS_SELECTOR, "button[name=opens]").click()
    wait(without_scripts).until(lambda browser: headings(browser) != before)
    assert headings(without_scripts) == ["Tracking von Nachrichten ist teilweise an"]
    last = org.consent(who)["history"][-1]
    assert (last["purpose"], last["evidence"]["language"]) == (PURPOSES["opens"], "de")
    show(without_scripts, org, f"{paths['preferences'][0]}?lang=nl")
    link = without_scripts.find_element(By.CSS_SELECTOR, "main a")
    assert link.get_attribute("href") == CONSENT_PAGE and "shop.example" in link.text
