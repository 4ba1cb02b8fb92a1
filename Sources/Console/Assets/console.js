// What makes the console nicer where scripts run. Every page works without.
"use strict";

// Buttons that copy a text, such as a key that is shown once. That it was copied is said beside the button, and announced.
for (const place of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = place.dataset.copy;
  if (place.dataset.copyName) button.setAttribute("aria-label", `${place.dataset.copy}: ${place.dataset.copyName}`);
  const told = document.createElement("span");
  told.className = "quiet";
  told.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    told.textContent = "";
    try {
      await navigator.clipboard.writeText(place.textContent.trim());
      told.textContent = place.dataset.copied;
    } catch {
      // The browser forbids it: the text is selected, to be copied by hand.
      getSelection().selectAllChildren(place);
    }
  });
  place.after(" ", button, " ", told);
}

// A form that changes something is sent once, however often its button is pressed: the answer to the first press is the one
// that shows a new key. A page that the browser shows again may send it anew.
let sent = new WeakSet();
document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
});
addEventListener("pageshow", () => {
  sent = new WeakSet();
});

// A page whose numbers change is asked for again, and its parts get what they say now. It stops while nobody looks.
// Where no answer comes, the banner says so: what stands there then is of an earlier time.
const live = document.querySelector("[data-live-every]");
if (live) {
  // How long an answer may take, in milliseconds.
  const patience = 5000;
  const banner = live.querySelector("[data-live=banner]");
  let answeredAt = live.dataset.asOf;
  let isAsking = false;
  let leftAt = -Infinity;

  // The element stays, so that what is new in it is announced where it has a role for that.
  const put = (old, fresh) => {
    if (old.className !== fresh.className) old.className = fresh.className;
    if (old.innerHTML !== fresh.innerHTML) old.replaceChildren(...fresh.childNodes);
  };

  const tellSilence = () => {
    const told = document.createElement("div");
    told.className = "banner bad";
    const headline = document.createElement("p");
    headline.className = "headline";
    headline.textContent = live.dataset.noAnswer.replace("{time}", answeredAt);
    const detail = document.createElement("p");
    detail.textContent = live.dataset.oldNumbers;
    told.append(headline, detail);
    put(banner, told);
  };

  // The part of the page as it is now; nothing where the page may not be shown any more. Throws where no answer is it.
  const ask = async () => {
    const answer = await fetch(location.href, {
      headers: { Accept: "text/html", "X-Live": "1" },
      redirect: "manual",
      cache: "no-store",
      signal: AbortSignal.timeout(patience),
    });
    // The session has ended, or its account has lost the role: the service is well.
    if (answer.type === "opaqueredirect" || answer.status === 403) return null;
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-live-every]");
    if (!fresh) throw new Error("another page");
    return fresh;
  };

  const refresh = async () => {
    if (isAsking || document.hidden) return;
    isAsking = true;
    try {
      const fresh = await ask();
      if (!fresh) return location.reload();
      answeredAt = fresh.dataset.asOf;
      for (const old of live.querySelectorAll("[data-live]")) {
        const part = fresh.querySelector(`[data-live="${old.dataset.live}"]`);
        if (part && !old.contains(document.activeElement)) put(old, part);
      }
    } catch {
      // Somebody who goes to another page ends the request, too.
      if (performance.now() - leftAt > patience) tellSilence();
    } finally {
      isAsking = false;
    }
  };

  addEventListener("beforeunload", () => {
    leftAt = performance.now();
  });
  document.addEventListener("visibilitychange", refresh);
  setInterval(refresh, Number(live.dataset.liveEvery) * 1000);
}
