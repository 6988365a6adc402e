// Checks the imports of src against the table of allowed arrows, and says which go against it. Ends with 1 if any does.
import { globSync, readFileSync } from "node:fs"
import { faultsIn } from "./layers/faults.ts"
import * as table from "./layers/table.ts"

const src = new URL("../src/", import.meta.url)
const files = globSync("**/*.ts", { cwd: src })
const faults = faultsIn(
  new Map(files.map((file) => [file.replaceAll("\\", "/"), readFileSync(new URL(file, src), "utf8")])),
  table
)

for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error(`${faults.length} against the table in scripts/layers/table.ts`)
  process.exitCode = 1
} else console.log(`${files.length} files keep to the table of layers`)
