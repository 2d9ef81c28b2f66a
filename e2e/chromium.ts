import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

// chromiumPath returns the path of the installed browser: $CHROMIUM if set, otherwise one of the usual names in PATH.
export function chromiumPath(): string {
  const names = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"].filter(
    (name) => name !== undefined,
  );
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const name of names) {
    const found = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
    const path = found.find(isExecutable);
    if (path) {
      return path;
    }
  }
  throw new Error("No Chromium found. `make chromium` installs it, or tells how.");
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
