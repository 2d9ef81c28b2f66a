/** What a browser stores of its registration for push messages. */
export interface Kept extends Details {
  readonly project: string;
  readonly token: string;
  /** When it was made or refreshed, in milliseconds since 1970. */
  readonly at: number;
}

/** Details identify a subscription: different details, different subscription. */
export interface Details {
  readonly endpoint: string;
  readonly auth: string;
  readonly p256dh: string;
  readonly applicationPubKey: string;
}

/** The token, a blank, the rest: a new order reads only the token (pos/order-basket/create.ts). */
const place = "forecourt.push";

/** kept returns the registration of this browser, or undefined. */
export function kept(): Kept | undefined {
  try {
    const text = localStorage.getItem(place) ?? "";
    const blank = text.indexOf(" ");
    const value: unknown = { ...JSON.parse(text.slice(blank)), token: text.slice(0, blank) };
    return isKept(value) ? value : undefined;
  } catch {
    return undefined; // without storage, or damaged
  }
}

export function keepInStorage(value: Kept | undefined): void {
  try {
    if (value) {
      const { token, ...rest } = value;
      localStorage.setItem(place, `${token} ${JSON.stringify(rest)}`);
    } else {
      localStorage.removeItem(place);
    }
  } catch {
    // Without storage the registration is made again next time.
  }
}

function isKept(value: unknown): value is Kept {
  const record = value as Record<string, unknown>;
  const words = ["project", "token", "endpoint", "auth", "p256dh", "applicationPubKey"];
  return typeof record.at === "number" && words.every((word) => record[word] && typeof record[word] === "string");
}
