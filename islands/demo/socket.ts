/** The script of the websocket test. It tries the local socket once and says what happened (ROUTE-05). */
const address = document.querySelector("#socket")?.textContent ?? "";
const state = document.querySelector("#socket-state");
const say = (text: string) => state?.replaceChildren(text);

say("Connecting…");
try {
  const socket = new WebSocket(address);
  let opened = false;
  socket.addEventListener("open", () => {
    opened = true;
    say("Connected.");
  });
  socket.addEventListener("message", () => say("Connected, and received a message."));
  socket.addEventListener("close", ({ code }) => {
    say(opened ? `Connected, then closed with code ${code}.` : `Nothing answers there (code ${code}).`);
  });
} catch {
  say("This browser does not take the address.");
}
