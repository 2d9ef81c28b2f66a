import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

// chromiumPath returns the path of the installed browser: $CHROMIUM if set, otherwise one of the usual names in PATH.
export function chromiumPath(): string {
  const path = findProgram(process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome");
  if (path === undefined) {
    throw new Error("No Chromium found. `make chromium` installs it, or tells how.");
  }
  return path;
}

// shellPath returns the path of Chromium without what a browser has around a page, in which tests take a fifth less time, or else of the
// whole browser. The shell has no notifications.
export function shellPath(): string {
  return findProgram(process.env.CHROMIUM, "chromium-headless-shell") ?? chromiumPath();
}

// startOptions returns how Playwright starts the browser at path.
export function startOptions(path: string): { executablePath: string; args: string[] } {
  return {
    executablePath: path,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  };
}

function findProgram(...names: (string | undefined)[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names
    .filter((name) => name !== undefined)
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
