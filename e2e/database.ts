import { createConnection } from "node:net";
import { join } from "node:path";

// sql runs statements in the serving program's database, for changes that otherwise take time. The built-in PostgreSQL trusts everybody who
// can reach its socket.
export async function sql(statements: string): Promise<void> {
  const socket = createConnection(join(process.env.E2E_DATA ?? "", "run", ".s.PGSQL.5432"));
  const number = (n: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(n);
    return bytes;
  };
  const message = (kind: string, body: Buffer) =>
    socket.write(Buffer.concat([Buffer.from(kind), number(body.length + 4), body]));
  message("", Buffer.concat([number(3 << 16), Buffer.from("user\0forecourt\0database\0forecourt\0\0")]));
  let unread = Buffer.alloc(0);
  let ready = 0;
  try {
    for await (const bytes of socket) {
      unread = Buffer.concat([unread, bytes]);
      while (unread.length >= 5 && unread.length > unread.readInt32BE(1)) {
        const size = unread.readInt32BE(1) + 1;
        const kind = String.fromCharCode(unread[0] ?? 0);
        if (kind === "E") throw new Error(unread.subarray(5, size).toString());
        if (kind === "Z" && ++ready === 1) message("Q", Buffer.from(`${statements}\0`));
        if (ready === 2) return;
        unread = unread.subarray(size);
      }
    }
  } finally {
    socket.destroy();
  }
  throw new Error("the database hung up");
}

// ageProofs makes a person's last proof of identity older than ten minutes.
export async function ageProofs(email: string): Promise<void> {
  await sql(`UPDATE session SET created_at = now() - interval '11 minutes', proved_at = NULL
    WHERE account_id = (SELECT id FROM account WHERE email = '${email}')`);
}
