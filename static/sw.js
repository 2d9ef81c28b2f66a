// The service worker of push messages. Its scope holds no page: it shows what comes, tells open pages, and leads there.

addEventListener("install", () => skipWaiting());

addEventListener("push", (event) => event.waitUntil(tell(read(event.data))));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data?.url));
});

// read returns a message, whatever came: a push that shows nothing costs the site its permission.
function read(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

async function tell({ data, notification }) {
  for (const page of await pages()) {
    page.postMessage({ type: "push", data: { loc: data?.loc, url: data?.url } });
  }
  await registration.showNotification(notification?.title ?? "Your order", {
    body: notification?.body ?? "Something of it is ready.",
    icon: "/static/img/touch-icon.png",
    // What is told again takes the place of what was told.
    tag: `${data?.url ?? ""} ${data?.loc ?? ""}`,
    data: { url: data?.url },
  });
}

// lead shows the page of an order or a desk: an open one, or a new one.
async function lead(url) {
  const open = await pages();
  const page = open.find((one) => new URL(one.url).pathname === url) ?? (url ? undefined : open[0]);
  if (page) await page.focus();
  else if (typeof url === "string" && ours(url)) await clients.openWindow(url);
}

// ours reports whether a message may be about a page.
function ours(path) {
  return path.startsWith("/pos/") || path.startsWith("/desk/");
}

// pages lists the open pages that messages may be about. None is in this worker's scope.
async function pages() {
  const all = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter((page) => ours(new URL(page.url).pathname));
}
