import { execFileSync } from "node:child_process"
import { existsSync, renameSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { takeLock } from "../../scripts/lock.mjs"

/** The Python of this machine; the variable PYTHON may name another. */
const python = process.env["PYTHON"] ?? "python3"

const run = (...args: ReadonlyArray<string>) =>
  execFileSync(python, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim()

/** Installs a package, once per version of Python, which must be at least 3 with this minor version. */
const install = (name: string, minor: number): string => {
  const version = run(
    "-c",
    `import sys; print(sys.version_info >= (3, ${minor}) and f'{sys.version_info[0]}.{sys.version_info[1]}')`
  )
  if (version === "False") throw new Error(`it is older than 3.${minor}`)
  const folder = fileURLToPath(new URL(`../../node_modules/.cache/${name}-${version}`, import.meta.url))
  if (existsSync(folder)) return folder
  const release = takeLock(`${folder}.lock`, `installs ${name}`)
  try {
    if (existsSync(folder)) return folder
    const unfinished = `${folder}.unfinished`
    rmSync(unfinished, { recursive: true, force: true })
    run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", "--target", unfinished, name)
    renameSync(unfinished, folder)
    return folder
  } finally {
    release()
  }
}

/** A folder with a package and the Python to run it, or the reason why it cannot be used on this machine. */
export const pythonPackage = (
  release: string,
  minor: number
): { readonly python: string; readonly folder: string; readonly obstacle: string | undefined } => {
  try {
    return { python, folder: install(release, minor), obstacle: undefined }
  } catch (error) {
    return { python, folder: "", obstacle: `${python}: ${String(error)}` }
  }
}
