import { existsSync } from "node:fs"
import chromium from "@sparticuz/chromium"
import { Effect } from "effect"
import puppeteer from "puppeteer-core"

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

/** A headless Chromium that is closed with the scope. */
export const browser = Effect.acquireRelease(
  Effect.promise(async () =>
    puppeteer.launch(
      systemBrowser === undefined
        ? { executablePath: await chromium.executablePath(), args: [...chromium.args, ...quietly], headless: "shell" }
        : { executablePath: systemBrowser, args: quietly, headless: true }
    )
  ),
  (running) => Effect.promise(() => running.close())
)
