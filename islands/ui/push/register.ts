import { type Details, keepInStorage, kept } from "./kept";

/** In milliseconds. An older registration is refreshed (PUSH-02). */
const week = 604_800_000;

/** RegistrationError carries the registration service's refusal of a call. */
export class RegistrationError extends Error {
  override name = "RegistrationError";
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** register returns the token of a subscription: the stored one, refreshed if it is old, or a new one. */
export async function register(project: string, details: Details): Promise<string> {
  const old = kept();
  if (old?.project === project && same(old, details)) {
    if (Date.now() - old.at <= week) return old.token;
    try {
      await call("PATCH", project, old.token, details);
      keepInStorage({ ...old, at: Date.now() });
      return old.token;
    } catch (error) {
      if (!(error instanceof RegistrationError && error.status === 404)) throw error;
    }
  } else if (old) {
    // If it cannot be deleted, it expires by itself.
    await call("DELETE", old.project, old.token).catch(() => undefined);
  }
  keepInStorage(undefined);
  const token = await call("POST", project, "", details);
  keepInStorage({ project, token, at: Date.now(), ...details });
  return token;
}

function same(a: Details, b: Details): boolean {
  return (
    a.endpoint === b.endpoint &&
    a.auth === b.auth &&
    a.p256dh === b.p256dh &&
    a.applicationPubKey === b.applicationPubKey
  );
}

async function call(method: string, project: string, token: string, web?: Details): Promise<string> {
  const path = `/api/push/v1/projects/${encodeURIComponent(project)}/registrations${token && `/${encodeURIComponent(token)}`}`;
  const request: RequestInit = { method, signal: AbortSignal.timeout?.(20_000) ?? null };
  if (web) {
    request.headers = { "Content-Type": "application/json" };
    request.body = JSON.stringify({ web });
  }
  const response = await fetch(path, request);
  const answer = (await response.json().catch(() => ({}))) as { token?: unknown; error?: { message?: unknown } };
  if (response.ok && typeof answer.token === "string") return answer.token;
  throw new RegistrationError(String(answer.error?.message ?? response.statusText), response.status);
}
