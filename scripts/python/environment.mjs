// The Python environments: one for the client's tests, its type checks and the guide's examples, and those of other
// tools. Each is created once per version of Python and of its requirements, and kept in node_modules.
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { takeLock } from "../lock.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const clientRequirements = `${root}clients/python/tests/requirements.txt`
const longestMs = 900_000

/**
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @returns {string} what it prints
 */
const run = (command, args) =>
  execFileSync(command, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestMs,
    // Images of Python set it, and nothing that is imported would be compiled once.
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "" }
  })

/** The reason for a failure in one line: the last one that a command printed. @param {unknown} error */
const reasonOf = (error) => {
  if (!(error instanceof Error)) return String(error)
  const printed = "stderr" in error ? String(error.stderr).trim() : ""
  return (printed || error.message).split("\n").at(-1)
}

/**
 * @param {string} python
 * @param {string} folder
 * @param {string} requirements
 */
const make = (python, folder, requirements) => {
  process.stderr.write(`Creating the Python environment of ${requirements.slice(root.length)} (venv, pip) …\n`)
  rmSync(folder, { recursive: true, force: true })
  run(python, ["-m", "venv", folder])
  const options = ["--quiet", "--disable-pip-version-check", "--retries", "2", "--no-compile"]
  run(`${folder}/bin/python`, ["-m", "pip", "install", ...options, "--requirement", requirements])
  // Importing compiles what is used: compiling every file of the packages would take twice as long as installing them.
  const packages = readFileSync(requirements, "utf8").match(/^[a-z]+(?===)/gm) ?? []
  run(`${folder}/bin/python`, ["-c", `import ${packages.join(", ")}`])
  writeFileSync(`${folder}/ready`, "")
}

/**
 * Creates an environment unless it is ready, one process at a time. @param {string} python @param {string} folder
 * @param {string} requirements
 */
const makeOnce = (python, folder, requirements) => {
  const isReady = () => existsSync(`${folder}/ready`)
  if (isReady()) return
  const release = takeLock(`${folder}.lock`, `creates the Python environment of ${requirements.slice(root.length)}`)
  try {
    if (!isReady()) make(python, folder, requirements)
  } finally {
    release()
  }
}

/**
 * The Python to run, with the packages of a file of requirements, or the obstacle to it. The variable PYTHON names
 * another one than `python3`. If the variable CI is set, an obstacle is thrown. @returns {{ readonly python: string,
 * readonly obstacle: string | undefined }}
 */
export const pythonEnvironment = (requirements = clientRequirements) => {
  const python = process.env["PYTHON"] ?? "python3"
  try {
    const version = spawnSync(python, [
      "-c",
      "import sys; print(sys.version, sys.executable, sys.version_info >= (3, 9))"
    ])
    if (version.error !== undefined || version.status !== 0) throw new Error(`${python} does not run`)
    const text = String(version.stdout).trim()
    if (!text.endsWith("True")) throw new Error(`${python} is older than 3.9`)
    const hash = createHash("sha256").update(text).update(readFileSync(requirements)).digest("hex").slice(0, 16)
    const folder = `${root}node_modules/.cache/python/${hash}`
    makeOnce(python, folder, requirements)
    return { python: `${folder}/bin/python`, obstacle: undefined }
  } catch (error) {
    const obstacle = reasonOf(error)
    if ((process.env["CI"] ?? "") !== "")
      throw new Error(`CI has to run the Python tests: ${obstacle}`, { cause: error })
    return { python, obstacle }
  }
}
