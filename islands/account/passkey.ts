/**
 * Passkeys. A form with data-passkey appears if the browser supports passkeys. The value "add" makes one from the options in the form; an
 * address is where to get the challenge to sign; an empty value only shows the form. The answer is sent in the form's field `passkey`, so that the
 * server responds as to any form.
 */

// The server's options and the browser's answers as JSON. Bytes are base64url.
interface Descriptor {
  id: string;
  type: "public-key";
  transports?: AuthenticatorTransport[];
}
type Asked = Omit<PublicKeyCredentialRequestOptions, "challenge" | "allowCredentials"> & { challenge: string };
type Wanted = Omit<PublicKeyCredentialCreationOptions, "challenge" | "user" | "excludeCredentials"> & {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: Descriptor[];
};

/** How long a challenge is used, in ms. It is valid for one more minute, so that it can still be answered. */
const fresh = 4 * 60_000;

let offer: AbortController | undefined;

/** wirePasskeys shows the forms that the browser can answer, and makes it suggest passkeys for the email field. */
export function wirePasskeys(): void {
  offer?.abort();
  if (!usable()) return;
  for (const none of document.querySelectorAll<HTMLElement>("[data-passkey-none]")) none.hidden = true;
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
    if (!form.hidden) continue; // already wired
    form.hidden = false;
    const source = form.dataset.passkey;
    if (!source) continue;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void answer(form, source === "add" ? () => create(form) : () => get(source));
    });
    // A page that refused a passkey does not offer it again by itself.
    const refused = location.pathname === new URL(form.action).pathname;
    if (!refused && document.querySelector('#account input[autocomplete~="webauthn"]')) void suggest(form, source);
  }
}

/** usable is false if the browser does not support passkeys, and at an IP address, where they do not work. */
function usable(): boolean {
  return isSecureContext && "PublicKeyCredential" in window && top === self && !/^[\d.]+$|:/.test(location.hostname);
}

/** answer asks for a passkey and sends the form with it, or shows why it cannot. */
async function answer(form: HTMLFormElement, ask: () => Promise<unknown>) {
  const problem = form.querySelector<HTMLElement>("[data-passkey-problem]");
  if (problem) problem.hidden = true;
  offer?.abort();
  try {
    send(form, await ask());
  } catch (error) {
    const text = problem?.querySelector("span");
    if (!problem || !text) throw error;
    text.textContent = words(error);
    problem.hidden = false;
  }
}

function send(form: HTMLFormElement, credential: unknown) {
  const field = form.elements.namedItem("passkey");
  if (field instanceof HTMLInputElement) field.value = JSON.stringify(credential);
  form.submit();
}

/** suggest makes the browser list passkeys at the email field. It asks again before the challenge is too old. */
async function suggest(form: HTMLFormElement, source: string) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false))) return;
  const mine = new AbortController();
  offer = mine;
  const later = setTimeout(() => {
    mine.abort();
    if (form.isConnected) void suggest(form, source);
  }, fresh);
  mine.signal.addEventListener("abort", () => clearTimeout(later));
  try {
    send(form, await get(source, mine.signal));
  } catch {
    // Nobody chose a passkey, or the request was aborted. The button is still there.
  }
}

async function get(source: string, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(source, { method: "POST", headers: { Accept: "application/json" } });
  if (!response.ok) throw new Refused(response.status);
  const { publicKey } = (await response.json()) as { publicKey: Asked };
  const credential = await navigator.credentials.get({
    publicKey: { ...publicKey, challenge: bytes(publicKey.challenge) },
    ...(signal && { mediation: "conditional" as const, signal }),
  });
  return toJSON(credential as PublicKeyCredential);
}

async function create(form: HTMLFormElement): Promise<unknown> {
  const { publicKey } = JSON.parse(form.querySelector("script")?.textContent ?? "{}") as { publicKey: Wanted };
  const credential = await navigator.credentials.create({
    publicKey: {
      ...publicKey,
      challenge: bytes(publicKey.challenge),
      user: { ...publicKey.user, id: bytes(publicKey.user.id) },
      excludeCredentials: (publicKey.excludeCredentials ?? []).map((known) => ({ ...known, id: bytes(known.id) })),
    },
  });
  return toJSON(credential as PublicKeyCredential);
}

class Refused extends Error {
  constructor(readonly status: number) {
    super(`refused with ${status}`);
  }
}

function words(error: unknown): string {
  if (error instanceof Refused) {
    if (error.status === 429) return "Too many attempts. Please wait a while, or continue without a passkey.";
    return "Passkeys are not available right now. Continue without one.";
  }
  switch (error instanceof DOMException ? error.name : "") {
    case "InvalidStateError":
      return "This device already has a passkey for your account.";
    case "SecurityError":
      return "Passkeys work only at the address that this site is known by.";
    default:
      return "No passkey was used. Try again, or continue without one.";
  }
}

function toJSON(credential: PublicKeyCredential): unknown {
  const { response } = credential;
  const fields: Record<string, unknown> = { clientDataJSON: text(response.clientDataJSON) };
  if (response instanceof AuthenticatorAttestationResponse) {
    fields.attestationObject = text(response.attestationObject);
    fields.transports = response.getTransports?.() ?? [];
  } else if (response instanceof AuthenticatorAssertionResponse) {
    fields.authenticatorData = text(response.authenticatorData);
    fields.signature = text(response.signature);
    if (response.userHandle) fields.userHandle = text(response.userHandle);
  }
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    response: fields,
    clientExtensionResults: {},
  };
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

function text(buffer: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
