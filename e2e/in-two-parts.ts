import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

// Parts is a proxy that sends every page that somebody opens in two parts, as a slow network does.
export interface Parts {
  url: string;
  hold(from: string): void; // sets the text of a page with which its second part begins
  sendRest(): void; // sends the second part of the page that waits, if one does
  held(): number; // how many second parts have waited
  close(): Promise<void>;
}

// inTwoParts starts such a proxy in front of a site. Other files go through at once.
export async function inTwoParts(site: string): Promise<Parts> {
  const { host } = new URL(site);
  let from = "";
  let held = 0;
  let sendRest = () => {};
  const server = createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    // A browser shows the beginning of a page that is not compressed for sure.
    const asked = { ...headers, host, "accept-encoding": "identity" };
    const forward = ask(new URL(url, site), { method, headers: asked }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (headers["sec-fetch-mode"] !== "navigate") {
        answer.pipe(response);
        return;
      }
      void buffer(answer).then((page) => {
        const middle = page.indexOf(from);
        if (middle < 0) {
          response.destroy(new Error(`${from} is not on the page`));
          return;
        }
        held++;
        sendRest = () => response.end(page.subarray(middle));
        response.write(page.subarray(0, middle));
      });
    });
    forward.on("error", () => response.destroy());
    request.pipe(forward);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (next) => {
      from = next;
    },
    sendRest: () => {
      sendRest();
      sendRest = () => {};
    },
    held: () => held,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
