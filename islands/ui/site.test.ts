import { expect, test, vi } from "vitest";

test("what a sign-up kept goes at the first page on which nobody is signed in (ADMIN-13)", async () => {
  const after = async (account: string) => {
    localStorage.setItem("info", "{}");
    document.body.innerHTML = `<header class="top">${account}</header>`;
    vi.resetModules();
    await import("./site");
    return localStorage.getItem("info");
  };
  expect(await after('<form action="/signout"><button>Logout</button></form>')).toBe("{}");
  expect(await after('<a href="/signin?to=%2Fdesk">Login</a>')).toBe(null);
});

test("an address that is pasted with invisible marks can be sent", async () => {
  document.body.innerHTML = '<input type="email">';
  vi.resetModules();
  await import("./site");
  const field = document.querySelector("input");
  if (!field) throw new Error("no field");
  field.value = "\u200bann@example.com\u2060";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  expect(field.value).toBe("ann@example.com");
});
