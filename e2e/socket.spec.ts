import { expect, test } from "./test";

const address = "wss://localhost:3017/";

test("the websocket test tries once and says that it failed", {
  annotation: { type: "requirements", description: "ROUTE-05" },
}, async ({ page, complaints }) => {
  const tries: string[] = [];
  page.on("websocket", (socket) => tries.push(socket.url()));
  await page.goto("/crm/ws");
  await expect(page.getByRole("status")).toContainText("Nothing answers there");
  expect(tries).toEqual([address]);
  // The browser itself reports the failure.
  expect(complaints.splice(0)).toEqual([expect.stringContaining(`WebSocket connection to '${address}' failed`)]);
});

test("the websocket test says when a server answers", {
  annotation: { type: "requirements", description: "ROUTE-05" },
}, async ({ page }) => {
  let hangUp = () => {};
  await page.routeWebSocket(address, (socket) => {
    hangUp = () => void socket.close({ code: 1001 });
  });
  await page.goto("/crm/ws");
  await expect(page.getByRole("status")).toHaveText("Connected.");
  hangUp();
  await expect(page.getByRole("status")).toHaveText("Connected, then closed with code 1001.");
});
