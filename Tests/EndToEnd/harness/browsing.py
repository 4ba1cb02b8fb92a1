"""A real Chromium, without a window."""

import shutil

from selenium import webdriver


def chromium(profile, *, scripts=True):
    """A browser with a profile of its own; `scripts` says whether pages may run scripts."""
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
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
    browser.set_page_load_timeout(60)
    return browser
