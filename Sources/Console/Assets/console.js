// What makes the console nicer where scripts run. Every page works without.
"use strict";

// Buttons that copy a text, such as a key that is shown once.
for (const place of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = place.dataset.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(place.textContent.trim());
    button.textContent = place.dataset.copied;
  });
  place.after(" ", button);
}

// A page whose numbers change is asked for again, and its parts that say so are replaced. It stops while nobody looks.
const live = document.querySelector("[data-live-every]");
if (live) {
  const every = Number(live.dataset.liveEvery) * 1000;
  const refresh = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" }, redirect: "error" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const old of document.querySelectorAll("[data-live]")) {
        const fresh = page.querySelector(`[data-live="${old.dataset.live}"]`);
        if (fresh && fresh.innerHTML !== old.innerHTML && !old.contains(document.activeElement)) old.replaceWith(fresh);
      }
    } catch {
      // The next attempt may succeed; the page says of when its numbers are.
    }
  };
  setInterval(refresh, every);
}
