// Checks the types of the Python client and of its tests, with pyright and with mypy.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { pythonEnvironment } from "./environment.mjs"

process.chdir(fileURLToPath(new URL("../../clients/python", import.meta.url)))
const { obstacle, python } = pythonEnvironment()
const mypy = pythonEnvironment(fileURLToPath(new URL("mypy.txt", import.meta.url)))

/**
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 */
const check = (command, args) => {
  const { status } = spawnSync(command, args, { stdio: "inherit" })
  if (status !== 0) process.exitCode = 1
}

if (obstacle === undefined && mypy.obstacle === undefined) {
  check("pyright", ["--warnings", "-p", ".", "--pythonpath", python])
  check(mypy.python, ["-m", "mypy", "--python-executable", python, "--cache-dir", `${python}/../../mypy`])
} else {
  process.stderr.write(`The types of the Python client are not checked: ${obstacle ?? mypy.obstacle}.\n`)
}
