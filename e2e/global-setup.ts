import { randomBytes } from "node:crypto";
import { startProgram } from "./program";

// The program runs once for all tests, with a sandbox beside it whose ledger the tests can read.
export default async function globalSetup(): Promise<() => Promise<void>> {
  const key = randomBytes(16).toString("hex");
  const sandbox = await startProgram("sandbox", ["sandbox", "--addr", "127.0.0.1:0"], { GATEWAY_KEY: key });
  const bridge = await startProgram("bridge", ["bridge", "--addr", "127.0.0.1:0"]);
  const server = await startProgram("serve", ["serve"], {
    FORECOURT_ADDR: "127.0.0.1:0",
    GATEWAY_URL: sandbox.url,
    GATEWAY_KEY: key,
    GATEWAY_TIMEOUT: "2s",
    BRIDGE_URL: bridge.url,
    // Nothing answers there with a script, as behind a filter that blocks it: tests of wallets put one in its place.
    GOOGLEPAY_SCRIPT_URL: `${sandbox.url}/pay.js`,
  }).catch(async (error: unknown) => {
    await sandbox.stop();
    await bridge.stop();
    throw error;
  });
  process.env.E2E_URL = server.url;
  process.env.E2E_BRIDGE_URL = bridge.url;
  process.env.E2E_DATA = server.data;
  process.env.E2E_SANDBOX_URL = sandbox.url;
  process.env.E2E_SANDBOX_KEY = key;
  return async () => {
    await server.stop();
    await sandbox.stop();
    await bridge.stop();
  };
}
