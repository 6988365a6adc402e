// Checks the types of the Python client and of its tests with pyright.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { pythonEnvironment } from "./environment.mjs"

const { obstacle, python } = pythonEnvironment()
if (obstacle === undefined) {
  const cwd = fileURLToPath(new URL("../../clients/python", import.meta.url))
  const { status } = spawnSync("pyright", ["--warnings", "-p", ".", "--pythonpath", python], { cwd, stdio: "inherit" })
  if (status !== 0) process.exitCode = 1
} else process.stderr.write(`The types of the Python client are not checked: ${obstacle}.\n`)
