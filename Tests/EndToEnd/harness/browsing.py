"""A real Chromium, without a window."""

import importlib.resources
import json
import shutil

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.support.ui import WebDriverWait

AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()


def chromium(profile, *, scripts=True, downloads=None):
    """A browser with a profile of its own. `scripts` says whether pages may run scripts; `downloads` is the folder that
    files go to."""
    driver, binary = shutil.which("chromedriver"), shutil.which("chromium")
    assert driver and binary, "Debian's chromium and chromium-driver are needed"
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--no-first-run",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    preferences = {} if scripts else {"profile.managed_default_content_settings.javascript": 2}
    if downloads:
        preferences |= {"download.default_directory": str(downloads), "download.prompt_for_download": False}
    options.add_experimental_option("prefs", preferences)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
    browser.set_page_load_timeout(60)
    return browser


# The rules of axe-core whose verdict depends on colours.
OF_COLOURS = ("color-contrast", "link-in-text-block")


def axe(browser, rules=None):
    """What axe-core finds wrong on the page that is shown, by every rule, those of WCAG 2.2 and best practices; by some
    where `rules` names them."""
    if not browser.execute_script("return 'axe' in window"):
        browser.execute_script(AXE)
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {"rules": {"target-size": {"enabled": True}}}
    result = browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, arguments[0]).then(done, error => done({error: `${error}`}));",
        only,
    )
    assert "error" not in result, result
    assert rules or len(result["passes"]) > 10, "axe looked at nothing"
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in result["violations"]]


def look_as(browser, width=1280, scheme="light", **features):
    """From now on pages are shown as on a screen, or, below 500 pixels, on a telephone; `features` are those of media
    queries, with `_` for `-`."""
    size = {"width": width, "height": 800 if width > 500 else 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = {"prefers_color_scheme": scheme} | features
    named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": named})


def show(browser, url, width=1280, scheme="light"):
    """Opens a page as on such a screen."""
    look_as(browser, width, scheme)
    browser.get(url)


def requests_of(browser):
    """The URL and the headers of every request since the last call."""
    found = []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append((message["params"]["request"]["url"], message["params"]["request"]["headers"]))
        elif message["method"] == "Network.requestWillBeSentExtraInfo":
            found.append(("", message["params"]["headers"]))
    return found


def wait(browser):
    """Asks again when the page goes away while it is read, for which the driver has several errors."""
    return WebDriverWait(browser, 30, ignored_exceptions=[WebDriverException])
