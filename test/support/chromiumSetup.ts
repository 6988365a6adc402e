import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import type { TestProject } from "vitest/node"
import { takeLock } from "../../scripts/lock.mjs"

/** A browser that runs on this machine. */
export interface FoundBrowser {
  readonly executablePath: string
  /** The environment variables that it needs. */
  readonly env: Readonly<Record<string, string>>
  readonly headless: "shell" | true
}

declare module "vitest" {
  interface ProvidedContext {
    /** The browser of the tests, or the reason why there is none. */
    readonly browser: FoundBrowser | string
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The paths of installed browsers; some are only stubs that name a package to install. */
const systemBrowsers = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
]

const runs = ({ env, executablePath }: FoundBrowser) => {
  const { status, stdout } = spawnSync(executablePath, ["--version"], {
    encoding: "utf8",
    env: { ...process.env, ...env },
    timeout: 60_000
  })
  return status === 0 && /Chrom(?:e|ium) \d/.test(stdout)
}

const decodeVersion = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))

/** Finds the package's fonts beside this file, wherever the checkout is moved or copied to. */
const fontsConf = `<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

const unpack = fileURLToPath(new URL("unpackChromium.mjs", import.meta.url))

/** The Chromium of the npm package, unpacked once per installation. */
const packagedBrowser = (): FoundBrowser => {
  const { version } = decodeVersion(readFileSync(`${root}node_modules/@sparticuz/chromium/package.json`, "utf8"))
  const folder = `${root}node_modules/.cache/chromium-${version}`
  const fontsFile = "fonts/relative.conf"
  const isUnpacked = () => existsSync(`${folder}/${fontsFile}`)
  if (!isUnpacked()) {
    const release = takeLock(`${folder}.lock`, "unpacks Chromium")
    try {
      const unfinished = `${folder}.unfinished`
      if (!isUnpacked()) {
        rmSync(unfinished, { recursive: true, force: true })
        mkdirSync(unfinished)
        execFileSync(process.execPath, [unpack], {
          env: { ...process.env, TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: "24.x" }
        })
        writeFileSync(`${unfinished}/${fontsFile}`, fontsConf)
        rmSync(folder, { recursive: true, force: true })
        renameSync(unfinished, folder)
      }
    } finally {
      release()
    }
  }
  return {
    executablePath: `${folder}/chromium`,
    env: {
      FONTCONFIG_FILE: `${folder}/${fontsFile}`,
      XDG_CACHE_HOME: folder,
      LD_LIBRARY_PATH: `${folder}/al2023/lib`
    },
    headless: "shell"
  }
}

const findBrowser = (): FoundBrowser | string => {
  if (process.platform === "linux" && process.arch === "x64") {
    const packaged = packagedBrowser()
    if (runs(packaged)) return packaged
  }
  return (
    systemBrowsers.map((executablePath): FoundBrowser => ({ executablePath, env: {}, headless: true })).find(runs) ??
    `the npm package's Chromium does not run on this machine (${process.platform} ${process.arch}), and there is no Chrome or Chromium in ${systemBrowsers.join(", ")}`
  )
}

/** Finds the browser before the tests start, so that no two of them unpack it at once. */
export const setup = (project: TestProject): void => {
  const found = findBrowser()
  if (typeof found === "string") {
    if ((process.env["CI"] ?? "") !== "") throw new Error(`CI has to run the tests in a browser: ${found}`)
    process.stderr.write(`\nThe tests in a browser are skipped: ${found}.\n\n`)
  }
  project.provide("browser", found)
}
