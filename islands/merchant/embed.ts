/** What a frame tells the page around it. */
interface Message {
  command: "get" | "set";
  height: number;
  merchantId?: string;
  key?: string;
}

/** Pixels added to the height, so that nothing is cut off. */
const spare = 80;

/** What a page knows of its merchant. */
interface Merchant {
  merchantId: string;
  key: string;
}

/**
 * talk tells the page around a frame how high the frame is (ADMIN-35 to ADMIN-38). Only an origin that the server allows
 * and that asked with "get" receives the merchant and its key.
 *
 * In a frame of another site the browser sends no session, so nobody is signed in there. The page then opens in a window of its own,
 * which has the session, and tells its opener, the frame, of the merchant.
 */
export function talk(self: Window): void {
  const page = self.document.querySelector<HTMLElement>(".embed");
  if (!page) return;
  const { merchant = "", keyUrl = "" } = page.dataset;
  if (self.parent === self) {
    const opener = self.opener as Window | null;
    if (opener && merchant)
      void ask(keyUrl).then((key) => {
        opener.postMessage({ merchantId: merchant, key }, self.origin);
        show(page, "#told");
      });
    return;
  }
  const allowed = (page.dataset.origins ?? "").split(" ").filter(Boolean);
  let parent = "";
  let known: Promise<Merchant> | undefined;

  const send = async (command: Message["command"]) => {
    const message: Message = { command, height: Math.ceil(self.document.documentElement.offsetHeight) + spare };
    if (parent && allowed.includes(parent)) {
      known ??= ask(keyUrl).then((key) => ({ merchantId: merchant, key }));
      await known;
      Object.assign(message, await known); // the window may have told of another meanwhile
    }
    for (const origin of parent ? [parent] : allowed) self.parent.postMessage(message, origin);
  };
  self.addEventListener("message", ({ source, origin, data }: MessageEvent) => {
    if (source === self.parent && (data as Message | null)?.command === "get") {
      parent = origin;
    } else if (origin === self.origin && source !== self.parent && (data as Merchant | null)?.merchantId) {
      known = Promise.resolve(data as Merchant);
      report(self.document);
    } else {
      return;
    }
    void send("set");
  });
  new ResizeObserver(() => void send("set")).observe(self.document.documentElement);
  void send("get");
}

/** report says in the frame that its window has told it. */
function report(page: Document): void {
  page.querySelector("#elsewhere")?.setAttribute("hidden", "");
  show(page, "#reported");
}

function show(page: ParentNode, notice: string): void {
  page.querySelector(notice)?.removeAttribute("hidden");
}

async function ask(address: string): Promise<string> {
  if (!address) return "";
  const answer = await fetch(address, { method: "POST", headers: { Accept: "application/json" } });
  return answer.ok ? ((await answer.json()) as { key: string }).key : "";
}
