import { insert, tapped } from "./board";

/** How long the server may take to say that a ticket is gone, in milliseconds. */
const confirmedWithin = 3_000;

/** How long a wrong tap can be taken back where it happened, in milliseconds. */
export const regretWithin = 5_000;

/** catchTaps sends Done and Undo without leaving the page. A ticket goes at once, and comes back if the server refuses. */
export function catchTaps(board: HTMLFormElement, say: (text: string) => void, again: () => void): void {
  board.addEventListener("submit", (event) => {
    const button = event.submitter;
    const entry = button?.closest<HTMLElement>(".ticket, .finished");
    if (!(button instanceof HTMLButtonElement) || !entry) return;
    event.preventDefault();
    const list = entry.parentElement;
    const next =
      entry.nextElementSibling?.querySelector("button") ?? entry.previousElementSibling?.querySelector("button");
    const focused = entry.contains(document.activeElement);
    entry.remove();
    if (focused) next?.focus();
    if (entry.matches(".ticket")) tapped.add(entry.id);
    else tapped.delete(entry.id.replace(/^d/, "t"));
    const sent = send(board.action, button);
    if (entry.matches(".ticket")) {
      offerUndo(`${entry.querySelector("h3")?.textContent} is done`, async () => {
        await sent;
        const problem = await send(board.action, { name: "undo", value: button.value });
        tapped.delete(entry.id);
        again();
        if (problem) say(problem);
      });
    }
    void sent.then((problem) => {
      // For the server, a ticket done and undone between two of its looks has not changed.
      if (!problem && entry.matches(".finished")) again();
      // Another screen may have undone it by then, which is no change to the server either.
      if (!problem && entry.matches(".ticket")) setTimeout(() => tapped.delete(entry.id) && again(), confirmedWithin);
      if (!problem) return;
      withdraw();
      tapped.delete(entry.id);
      if (list && !document.getElementById(entry.id)) {
        if (entry.matches(".ticket")) insert(list, entry);
        else list.prepend(entry);
      }
      say(problem);
    });
  });
}

/** catchPause pauses ordering, and takes orders again, without leaving the page. */
export function catchPause(
  tools: Element | null,
  address: string,
  say: (text: string) => void,
  again: () => void,
): void {
  tools?.addEventListener("submit", (event) => {
    const button = event instanceof SubmitEvent && event.submitter;
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    void send(address, button).then((problem) => (problem ? say(problem) : again()));
  });
}

let withdraw = () => {};

/** offerUndo shows what was done, with a button that takes it back, in place of an earlier offer. */
function offerUndo(text: string, undo: () => void): void {
  withdraw();
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.role = "status";
  const button = Object.assign(document.createElement("button"), {
    className: "button secondary",
    textContent: "Undo",
  });
  toast.append(text, button);
  document.body.append(toast);
  const timer = setTimeout(() => withdraw(), regretWithin);
  withdraw = () => {
    clearTimeout(timer);
    toast.remove();
  };
  button.addEventListener("click", () => {
    withdraw();
    undo();
  });
}

/** send posts a button of the form and returns what went wrong, "" if nothing did. */
async function send(address: string, { name, value }: { name: string; value: string }): Promise<string> {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { Prefer: "return=minimal" },
      body: new URLSearchParams({ [name]: value }),
    });
    if (answer.status === 204) return "";
    if (answer.status === 401) return "You are signed out. Reload the page to sign in again.";
    return "That did not work. Reload the page and try again.";
  } catch {
    return "The server could not be reached. Please tap again.";
  }
}
