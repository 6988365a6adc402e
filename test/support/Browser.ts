import { existsSync } from "node:fs"
import { Effect } from "effect"
import puppeteer, { type LaunchOptions } from "puppeteer-core"

/** A browser of the system, if there is one; else the one that an npm package brings. */
const systemBrowser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path)
)

const quietly = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** The npm package's Chromium; told that it is in a bare function runtime, it brings the shared libraries too. */
const packagedBrowser = async (): Promise<LaunchOptions> => {
  process.env["AWS_LAMBDA_JS_RUNTIME"] ??= "24.x"
  const { default: chromium } = await import("@sparticuz/chromium")
  return {
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, ...quietly],
    headless: "shell"
  }
}

/** A headless Chromium that is closed with the scope. */
export const browser = Effect.acquireRelease(
  Effect.promise(async () =>
    puppeteer.launch(
      systemBrowser === undefined
        ? await packagedBrowser()
        : { executablePath: systemBrowser, args: quietly, headless: true }
    )
  ),
  (running) => Effect.promise(() => running.close())
)
