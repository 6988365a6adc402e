import { accessSync, constants, existsSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { main } from "./Process.ts"

/** Sets a folder of the checkout for temporary files where theirs is missing or another user's. */
const ensureTemporaryFolder = (): void => {
  const usual = tmpdir()
  try {
    accessSync(usual, constants.W_OK)
  } catch {
    const own = fileURLToPath(new URL("../../node_modules/.cache/tmp", import.meta.url))
    mkdirSync(own, { recursive: true })
    process.env["TMPDIR"] = own
    process.stderr.write(`\nTemporary files are written to ${own}, because ${usual} is not writable.\n\n`)
  }
}

/** Makes the environment of the tests and their processes the same on every machine; the workers inherit it. */
export const setup = (): void => {
  // `npm test` builds it; vitest by itself does not.
  if (!existsSync(main)) throw new Error(`${main} is missing: run npm run build`)
  // Some files must be readable by another user, who runs Postgres and the image.
  process.umask(0o022)
  ensureTemporaryFolder()
  // Makes `node` the one that runs this, not an older one or a version manager's shim.
  process.env["PATH"] = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter)
  // A proxy may be set for package downloads; it cannot reach the tests' servers.
  for (const name of ["NO_PROXY", "no_proxy"]) {
    process.env[name] = ["127.0.0.1", "localhost", process.env[name] ?? ""].filter(Boolean).join(",")
  }
  // The settings of the clients.
  delete process.env["SERVICE_API_KEY"]
  delete process.env["SERVICE_BASE_URL"]
}
