"""The page for withdrawing in a real browser: one press, with and without scripts, and nothing is recorded any more."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from harness import tokens, wire
from harness.browsing import chromium, wait
from harness.client import person

pytestmark = pytest.mark.browser

ON, OFF = "Message tracking is on", "Message tracking is off"


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def browser(request, tmp_path):
    browser = chromium(tmp_path / "profile", scripts=request.param)
    yield browser
    browser.quit()


@pytest.fixture
def scripted(tmp_path):
    browser = chromium(tmp_path / "profile")
    yield browser
    browser.quit()


@pytest.fixture
def sent(org):
    return Sent(org)


class Sent:
    """Somebody who gave consent, and two messages to them."""

    def __init__(self, org):
        self.org, self.recipient = org, person()
        org.record(self.recipient, "given")
        composed = [org.compose([self.recipient]) for _ in range(2)]
        self.messages = [each.message for each in composed]
        self.links = [each.link(self.recipient) for each in composed]
        self.page = f"{org.service.public}/p/{composed[0].links(self.recipient)['trackingId']}"

    def click(self):
        for link in self.links:
            assert wire.follow(link).status == 302

    def recorded(self):
        self.org.settle()
        return sum(len(self.org.interactions(message=id)) for id in self.messages)

    def states(self):
        return [record["state"] for record in self.org.consent(self.recipient)["history"]]


def heading(browser):
    return browser.find_element(By.TAG_NAME, "h1").text


def button(browser):
    return browser.find_element(By.TAG_NAME, "button")


def test_one_press_and_the_next_click_on_any_link_records_nothing(browser, sent):
    browser.get(sent.page)
    assert (browser.title, heading(browser)) == (ON, ON)
    sent.click()
    assert sent.recorded() == 2

    button(browser).click()
    wait(browser).until(lambda browser: browser.title == OFF)
    sent.click()
    assert sent.recorded() == 2
    assert sent.states() == ["given", "withdrawn"]

    browser.get(sent.page)
    assert heading(browser) == OFF
    assert browser.find_elements(By.TAG_NAME, "button") == []
    assert browser.current_url == sent.page
    assert [entry for entry in browser.get_log("browser") if "favicon" not in entry["message"]] == []


def test_the_keyboard_is_enough(scripted, sent):
    scripted.get(sent.page)
    scripted.switch_to.active_element.send_keys(Keys.TAB)
    focused = scripted.switch_to.active_element
    assert focused.text == "Turn tracking off"
    assert focused.value_of_css_property("outline-style") == "solid"
    focused.send_keys(Keys.ENTER)
    wait(scripted).until(lambda browser: browser.title == OFF)
    assert sent.states() == ["given", "withdrawn"]


def test_a_screen_reader_finds_language_landmark_heading_and_button(scripted, sent):
    scripted.get(sent.page)
    assert scripted.find_element(By.TAG_NAME, "html").get_attribute("lang") == "en"
    nodes = scripted.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = [(node["role"]["value"], node["name"]["value"]) for node in nodes if node.get("name", {}).get("value")]
    assert ("heading", ON) in named
    assert ("button", "Turn tracking off") in named
    assert [node["role"]["value"] for node in nodes].count("main") == 1


def luminance(colour):
    channels = [float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(element, background):
    pair = sorted(luminance(colour) for colour in (element.value_of_css_property("color"), background))
    return (pair[1] + 0.05) / (pair[0] + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_it_is_legible_on_small_and_large_screens_by_day_and_by_night(scripted, sent, scheme, width):
    """WCAG 2.2: 1.4.3 contrast of 4.5, 1.4.10 no scrolling sideways at 320 pixels, 2.5.8 a target of 24 pixels."""
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    scripted.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    size = {"width": width, "height": 640, "deviceScaleFactor": 1, "mobile": width < 500}
    scripted.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    sent.org.set(name="W" * 256)
    scripted.get(sent.page)
    body, pressed = scripted.find_element(By.TAG_NAME, "body"), button(scripted)
    background = body.value_of_css_property("background-color")
    assert (luminance(background) < 0.2) == (scheme == "dark")
    assert contrast(body, background) >= 4.5
    assert contrast(pressed, pressed.value_of_css_property("background-color")) >= 4.5
    assert pressed.size["height"] >= 24 and pressed.size["width"] >= 24
    wide = scripted.execute_script("return [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1]


def test_no_page_can_frame_it_to_have_its_button_pressed(scripted, sent, tmp_path):
    around = tmp_path / "around.html"
    around.write_text(f'<!doctype html><title>Around</title><iframe src="{sent.page}"></iframe>')
    scripted.get(around.as_uri())
    scripted.switch_to.frame(scripted.find_element(By.TAG_NAME, "iframe"))
    assert scripted.find_elements(By.TAG_NAME, "button") == []
    assert ON not in scripted.page_source


def test_a_link_that_is_not_whole_says_so(scripted, sent):
    scripted.get(sent.page[:-1])
    assert heading(scripted) == "Link not found"
    assert tokens.of_link(sent.links[0]) not in scripted.page_source
    assert sent.states() == ["given"]
