import { type AddressInfo, createServer } from "node:net";
import { expect } from "@playwright/test";

// A Mailbox is a mail server that keeps what it receives.
export interface Mailbox {
  url: string;
  // link waits for a letter to somebody whose subject contains a text, and returns the first address in it below a path.
  link(to: string, subject: string, path: string): Promise<string>;
  stop(): Promise<void>;
}

interface Letter {
  to: string;
  subject: string;
  text: string;
}

// startMailbox implements as much of SMTP as a program needs to deliver its letters.
export async function startMailbox(): Promise<Mailbox> {
  const letters: Letter[] = [];
  const server = createServer((socket) => {
    let to = "";
    let rest = "";
    let inLetter = false;
    socket.setEncoding("utf8");
    socket.on("error", () => socket.destroy());
    socket.write("220 mailbox\r\n");
    socket.on("data", (text: string) => {
      rest += text;
      for (;;) {
        const end = rest.indexOf(inLetter ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const line = rest.slice(0, end);
        rest = rest.slice(end + (inLetter ? 5 : 2));
        if (inLetter) {
          letters.push({ to, ...read(line) });
          inLetter = false;
        } else if (/^RCPT TO:/i.test(line)) {
          to = /<(.*)>/.exec(line)?.[1] ?? "";
        }
        inLetter = /^DATA$/i.test(line);
        socket.write(inLetter ? "354 go on\r\n" : /^QUIT/i.test(line) ? "221 bye\r\n" : "250 ok\r\n");
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    link: async (to, subject, path) => {
      let found = "";
      await expect(() => {
        const letter = letters.findLast((one) => one.to === to && one.subject.includes(subject));
        found = new RegExp(`http://\\S*${path}\\S*`).exec(letter?.text ?? "")?.[0] ?? "";
        expect(found, `a link in “${subject}” to ${to}, of ${letters.map((one) => one.subject)}`).not.toBe("");
      }).toPass({ timeout: 20_000 });
      return found;
    },
    stop: () => new Promise((done) => server.close(() => done())),
  };
}

// read parses a letter, which is quoted-printable.
function read(raw: string): { subject: string; text: string } {
  const plain = raw.replace(/\r\n[ \t]/g, " ");
  const decoded = raw
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { subject: /^Subject: (.*)$/m.exec(plain)?.[1]?.trim() ?? "", text: decoded };
}
