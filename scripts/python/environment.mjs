// The Python environments, each created once per version of Python and of its requirements, and kept in node_modules:
// one for the tests, and one for Schemathesis, whose packages no test run should wait for.
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { takeLock } from "../lock.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const ofTheTests = `${root}scripts/python/requirements.txt`
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

/** Succeeds if this pip can install into another environment. */
const installsElsewhere = "import pip; assert tuple(map(int, pip.__version__.split('.')[:2])) >= (22, 3)"

/**
 * The command line of the pip that installs into an environment. @param {string} python @param {string} folder
 * @returns {[string, ...Array<string>]}
 */
const pipOf = (python, folder) =>
  existsSync(`${folder}/bin/pip`)
    ? [`${folder}/bin/python`, "-m", "pip"]
    : [python, "-m", "pip", "--python", `${folder}/bin/python`]

/**
 * @param {string} python
 * @param {string} folder
 * @param {string} requirements
 */
const make = (python, folder, requirements) => {
  process.stderr.write(`Creating the Python environment of ${requirements.slice(root.length)} (venv, pip) …\n`)
  rmSync(folder, { recursive: true, force: true })
  // A pip of its own takes longer to install than most packages.
  const hasPip = spawnSync(python, ["-c", installsElsewhere]).status === 0
  run(python, ["-m", "venv", ...(hasPip ? ["--without-pip"] : []), folder])
  const [pip, ...args] = pipOf(python, folder)
  const options = ["--quiet", "--disable-pip-version-check", "--retries", "2", "--no-compile"]
  run(pip, [...args, "install", ...options, "--requirement", requirements])
  // Importing compiles what is used: compiling every file of the packages would take twice as long as installing them.
  // A package that needs a newer Python than the others is imported by one test.
  const packages = readFileSync(requirements, "utf8").match(/^[a-z]+(?===[\d.]+$)/gm) ?? []
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
 * readonly pip: [string, ...Array<string>], readonly minor: number, readonly obstacle: string | undefined }}
 */
export const pythonEnvironment = (requirements = ofTheTests) => {
  const python = process.env["PYTHON"] ?? "python3"
  try {
    const version = spawnSync(python, ["-c", "import sys; print(sys.version_info[1], sys.version, sys.executable)"])
    if (version.error !== undefined || version.status !== 0) throw new Error(`${python} does not run`)
    const text = String(version.stdout).trim()
    const minor = Number.parseInt(text, 10)
    if (!(minor >= 9)) throw new Error(`${python} is older than 3.9`)
    const hash = createHash("sha256").update(text).update(readFileSync(requirements)).digest("hex").slice(0, 16)
    const folder = `${root}node_modules/.cache/python/${hash}`
    makeOnce(python, folder, requirements)
    return { python: `${folder}/bin/python`, pip: pipOf(python, folder), minor, obstacle: undefined }
  } catch (error) {
    const obstacle = reasonOf(error)
    if ((process.env["CI"] ?? "") !== "")
      throw new Error(`CI has to run the Python tests: ${obstacle}`, { cause: error })
    return { python, pip: [python, "-m", "pip"], minor: 0, obstacle }
  }
}
