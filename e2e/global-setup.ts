import { randomBytes } from "node:crypto";
import { type Program, startProgram } from "./program";

const anyPort = ["--addr", "127.0.0.1:0"];

// Two programs run for all tests: one with a sandbox and a terminal service beside it, so that the tests can see what
// arrives there, and one alone, without settings.
export default async function globalSetup(): Promise<() => Promise<void>> {
  const running: Program[] = [];
  const stop = async () => {
    await Promise.all(running.map((program) => program.stop()));
  };
  const start = async (...call: Parameters<typeof startProgram>) => {
    const program = await startProgram(...call);
    running.push(program);
    return program;
  };
  const key = randomBytes(16).toString("hex");
  try {
    const sandbox = await start("sandbox", ["sandbox", ...anyPort], { GATEWAY_KEY: key });
    const bridge = await start("bridge", ["bridge", ...anyPort]);
    const server = await start("serve", ["serve"], {
      FORECOURT_ADDR: "127.0.0.1:0",
      GATEWAY_URL: sandbox.url,
      GATEWAY_KEY: key,
      GATEWAY_TIMEOUT: "2s",
      BRIDGE_URL: bridge.url,
      // No script is served there, as if a filter blocked it. Tests of wallets replace it.
      GOOGLEPAY_SCRIPT_URL: `${sandbox.url}/pay.js`,
    });
    const alone = await start("alone", ["serve"], {
      FORECOURT_ADDR: "127.0.0.1:0",
      GOOGLEPAY_SCRIPT_URL: "http://127.0.0.1:9/pay.js",
    });
    Object.assign(process.env, {
      E2E_URL: server.url,
      E2E_DATA: server.data,
      E2E_BRIDGE_URL: bridge.url,
      E2E_SANDBOX_URL: sandbox.url,
      E2E_SANDBOX_KEY: key,
      E2E_ALONE_URL: alone.url,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
