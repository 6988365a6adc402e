// Checks the imports of the files of src, including those of types, by the rules in rooms/faults.ts. Exits with status
// 1 if there is a fault.
import { globSync, readFileSync } from "node:fs"
import { faultsIn } from "./rooms/faults.ts"

const src = new URL("../src/", import.meta.url)
const files = globSync("**/*.ts", { cwd: src }).map((file) => file.replaceAll("\\", "/"))
const faults = faultsIn(new Map(files.map((file) => [file, readFileSync(new URL(file, src), "utf8")])))

for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
