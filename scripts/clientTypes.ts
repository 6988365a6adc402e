// Writes the types of both clients, from the OpenAPI document. With `--check` it writes nothing, and exits with status
// 1 if a file is out of date.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { pythonFiles } from "./clientTypes/Python.ts"
import { typeScriptFiles } from "./clientTypes/TypeScript.ts"
import { wireTypes } from "./clientTypes/WireTypes.ts"

const types = wireTypes()
const folders = {
  "clients/typescript/src": typeScriptFiles(types),
  "clients/python/src/outreach_forecast": pythonFiles(types)
}

for (const [folder, files] of Object.entries(folders)) {
  for (const [name, text] of Object.entries(files)) {
    const file = new URL(`../${folder}/${name}`, import.meta.url)
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue
    if (process.argv.includes("--check")) {
      console.error(`${folder}/${name} does not match the OpenAPI document: npm run fix updates it`)
      process.exitCode = 1
    } else writeFileSync(file, text)
  }
}
