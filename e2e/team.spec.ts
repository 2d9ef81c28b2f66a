import { KitchenPage } from "./kitchen-page";
import { cards } from "./payment-page";
import { password, signIn, someone } from "./people";
import { expect, renew, test } from "./test";

test("a person is invited and joins, and a kitchen screen works until it is ended @nojs-long", async ({
  browser,
  baseURL,
  menu,
  page,
  payment,
  javaScriptEnabled,
}, { project }) => {
  const another = async () => (await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled })).newPage();
  const [sam, screen] = [await another(), await another()];
  const email = someone();

  await signIn(page, "demo@forecourt.test");
  await page.goto("/desk/panezski/team");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("radio", { name: "Manager" }).check();
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText(`The invitation is on its way to ${email}.`)).toBeVisible();

  let link = "";
  await expect(async () => {
    const outbox = await page.request.get("/dev/outbox");
    const mail = (await outbox.text()).split("<tr").find((row) => row.includes(email));
    const letter = await page.request.get(/\/dev\/outbox\/[0-9a-f-]+/.exec(mail ?? "")?.[0] ?? "");
    link = /\/join\/[A-Z0-9]+/.exec(await letter.text())?.[0] ?? "";
    expect(link).not.toBe("");
  }).toPass();
  await sam.goto(link);
  await sam.getByLabel("Name").fill("Sam");
  await sam.getByLabel("Password", { exact: true }).fill(password);
  await sam.getByLabel("Confirm password").fill(password);
  await sam.getByRole("button", { name: "Create account and join" }).click();
  await expect(sam).toHaveURL(/\/desk\/panezski$/);
  await sam.goto(link);
  await expect(sam.getByRole("heading", { name: "This invitation was used" })).toBeVisible();

  const name = `Grill ${project.name} ${email.slice(4, 12)}`;
  await sam.goto("/desk/panezski/screens");
  await sam.getByLabel("Name of the screen").fill(name);
  await sam.getByRole("button", { name: "Make a link" }).click();
  await screen.goto((await sam.locator("#screen-link").textContent()) ?? "");
  await screen.getByRole("button", { name: "Open the kitchen" }).click();
  await expect(screen).toHaveURL(/\/pos\/panezski\/kitchen$/);

  const table = javaScriptEnabled ? "Scripted" : "Plain";
  await menu.open(`?t=${table}`);
  await menu.add("Butter Croissant");
  await menu.openOrder();
  await menu.pay();
  await payment.payWith(cards.approved);
  await payment.expectPaid();
  if (!javaScriptEnabled) await renew(screen);
  const kitchen = new KitchenPage(screen);
  await expect(kitchen.ticket("Kitchen", table)).toContainText("Butter Croissant");
  await kitchen.done("Kitchen", table);
  await expect(kitchen.ticket("Kitchen", table)).toHaveCount(0);

  await sam.goto("/desk/panezski/screens");
  await sam.getByRole("button", { name: `Disconnect ${name}` }).click();
  await expect(sam.getByText("The screen is disconnected.")).toBeVisible();
  if (!javaScriptEnabled) await renew(screen);
  await expect(screen.getByRole("heading", { name: "This screen is disconnected" })).toBeVisible();
  await Promise.all([sam.context().close(), screen.context().close()]);
});
