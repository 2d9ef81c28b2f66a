import { kept } from "../ui/push/kept";
import { register } from "../ui/push/register";
import { able, subscribe } from "../ui/push/subscribe";

const words = {
  ask: "Show notifications in this browser",
  refused: "Notifications are off for this site. Your browser’s settings can turn them on. You still get emails.",
  failed: "That did not work. Please try again. You still get emails.",
  unable: "This browser cannot show notifications. You still get emails.",
};

/** offer fills #note-me with a button that makes this browser show the person's messages. */
export function offer(place: HTMLElement): void {
  const { url, project, key } = place.dataset;
  if (!url || !project || !key) return;
  place.hidden = false;
  if (!able()) {
    // The person may have refused, or the browser may not be able to.
    const refused = "Notification" in window && Notification.permission === "denied";
    say(place, refused ? words.refused : words.unable);
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button secondary";
  button.textContent = words.ask;
  button.addEventListener("click", () => void add(place, button, { url, project, key }));
  place.replaceChildren(button);
  // Refresh an old registration, so that this browser keeps showing messages.
  if (kept() && Notification.permission === "granted") {
    void subscribe(key)
      .then((details) => register(project, details))
      .catch(() => undefined);
  }
}

interface Site {
  readonly url: string;
  readonly project: string;
  readonly key: string;
}

/** add asks for the permission, which browsers grant only after a tap. */
async function add(place: HTMLElement, button: HTMLButtonElement, site: Site): Promise<void> {
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  try {
    if ((await Notification.requestPermission()) !== "granted") {
      say(place, words.refused);
      return;
    }
    const token = await register(site.project, await subscribe(site.key));
    const response = await fetch(site.url, {
      method: "POST",
      headers: { Prefer: "return=minimal" },
      body: new URLSearchParams({ do: "browser", token }),
    });
    if (!response.ok) throw new Error(`the desk does not take the browser: ${response.status}`);
    location.assign(`${site.url}?done=browser`);
  } catch {
    say(place, words.failed, button);
  } finally {
    button.ariaBusy = null;
  }
}

function say(place: HTMLElement, text: string, ...after: Element[]): void {
  const said = document.createElement("p");
  said.className = "hint";
  said.setAttribute("role", "status");
  said.textContent = text;
  place.replaceChildren(said, ...after);
}
