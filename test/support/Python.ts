import { execFileSync } from "node:child_process"

/** The Python of this machine; the variable PYTHON may name another. */
export const python = process.env["PYTHON"] ?? "python3"

/** Why the Python client cannot be tried with it, if it cannot. */
export const pythonObstacle: string | undefined = (() => {
  try {
    const version = execFileSync(python, ["-c", "import sys; print(sys.version_info >= (3, 9))"], { encoding: "utf8" })
    return version.trim() === "True" ? undefined : `${python} is older than 3.9`
  } catch (error) {
    return `${python} does not run: ${String(error)}`
  }
})()
