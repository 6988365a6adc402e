// Writes the parts of pages that are generated: tables, from the code that they describe, the sections on codes of
// docs/errors.md, the date of the model in responses, and the sizes in README.md. With `--check` it writes nothing, and exits with status 1 if a page is out of date.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { architecture } from "./docTables/architecture.ts"
import { certainty } from "./docTables/certainty.ts"
import { clients } from "./docTables/clients.ts"
import { extensionTable, readme, withSizes } from "./docTables/code.ts"
import { errors, withSections } from "./docTables/errors.ts"
import { operation } from "./docTables/operation.ts"
import { type Tables, withTable } from "./docTables/Page.ts"
import { rates } from "./docTables/rates.ts"
import { documented } from "./extensions.ts"
import { modelVersion } from "../src/forecast/modelVersion.ts"

const own: Tables = {
  README: readme,
  architecture: [...architecture, extensionTable],
  certainty,
  clients,
  errors,
  operation,
  rates
}

/** The pages with more that is generated than their tables. */
const others: Readonly<Record<string, (page: string) => string>> = { README: withSizes, errors: withSections }

/** Pages show responses, which have the date of the model. */
const withModelVersion = (page: string) =>
  page.replaceAll(/("model_version": ")\d{4}-\d\d-\d\d"/g, (_, start: string) => `${start}${modelVersion}"`)

/** Changes a page; with `--check`, reports that it is out of date. */
const update = (file: string, change: (page: string) => string) => {
  const path = new URL(`../${file}`, import.meta.url)
  const before = readFileSync(path, "utf8")
  const after = change(before)
  if (after === before) return
  if (process.argv.includes("--check")) {
    console.error(`${file} is out of date: npm run fix updates it`)
    process.exitCode = 1
  } else writeFileSync(path, after)
}

const fileOf = (name: string) => (name === "README" ? "README.md" : `docs/${name}.md`)

for (const [name, tables] of [own, ...documented].flatMap(Object.entries<Tables[string]>)) {
  update(fileOf(name), (before) => {
    const page = tables.reduce(withTable, before)
    return others[name]?.(page) ?? page
  })
}
const docs = readdirSync(new URL("../docs", import.meta.url)).filter((file) => file.endsWith(".md"))
for (const file of ["README.md", ...docs.map((each) => `docs/${each}`)]) update(file, withModelVersion)
