import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const binary = resolve("bin/forecourt");

// A Program is a running bin/forecourt that has printed its address.
export interface Program {
  url: string;
  data: string; // its data folder
  said: string[]; // the lines that it has printed
  stop(): Promise<void>;
}

// startProgram starts bin/forecourt in a new folder and waits for its `listening on` line. Its log goes to
// test-results/{name}.log.
export async function startProgram(name: string, args: string[], env: Record<string, string> = {}): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), `forecourt-${name}-`));
  const data = join(folder, "data");
  // PostgreSQL runs as another user if this runs as root, and has to pass through the folder.
  chmodSync(folder, 0o755);
  mkdirSync("test-results", { recursive: true });
  const log = createWriteStream(join("test-results", `${name}.log`));
  const child = spawn(binary, args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, FORECOURT_DATA: data, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.pipe(log);
  const said: string[] = [];
  const url = await listening(name, child, said).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  child.stdout.pipe(log);
  return {
    url,
    data,
    said,
    stop: async () => {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// command runs a command of bin/forecourt beside the serving program, and returns its output.
export async function command(...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH ?? "",
    FORECOURT_DATA: process.env.E2E_DATA,
    FORECOURT_URL: process.env.E2E_URL,
  };
  const { stdout } = await promisify(execFile)(binary, args, { env });
  return stdout.trim();
}

function listening(name: string, child: ChildProcess, said: string[]): Promise<string> {
  return new Promise((found, failed) => {
    const late = setTimeout(
      () => failed(new Error(`${name} is not listening after 60 s: see test-results/${name}.log`)),
      60_000,
    );
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`${name} ended with ${code}: see test-results/${name}.log`)));
    if (!child.stdout) {
      failed(new Error(`${name} has no output`));
      return;
    }
    createInterface(child.stdout).on("line", (line) => {
      said.push(line);
      const url = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
      if (url) {
        clearTimeout(late);
        found(url);
      }
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      done();
      return;
    }
    const late = setTimeout(() => child.kill("SIGKILL"), 15_000);
    child.once("exit", () => {
      clearTimeout(late);
      done();
    });
    child.kill("SIGTERM");
  });
}
