// Writes the parts of pages that are generated: tables, from the code that they describe, the sections on codes of
// docs/errors.md, and the sizes in README.md. With `--check` it writes nothing, and exits with status 1 if a page is out of date.
import { readFileSync, writeFileSync } from "node:fs"
import { architecture } from "./docTables/architecture.ts"
import { certainty } from "./docTables/certainty.ts"
import { clients } from "./docTables/clients.ts"
import { extensionTable, readme, withSizes } from "./docTables/code.ts"
import { errors, withSections } from "./docTables/errors.ts"
import { operation } from "./docTables/operation.ts"
import { type Tables, withTable } from "./docTables/Page.ts"
import { rates } from "./docTables/rates.ts"
import { documented } from "./extensions.ts"

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

for (const [name, tables] of [own, ...documented].flatMap(Object.entries<Tables[string]>)) {
  const file = name === "README" ? "README.md" : `docs/${name}.md`
  const path = new URL(`../${file}`, import.meta.url)
  const before = readFileSync(path, "utf8")
  const page = tables.reduce(withTable, before)
  const after = others[name]?.(page) ?? page
  if (after === before) continue
  if (process.argv.includes("--check")) {
    console.error(`${file} is out of date: npm run fix updates it`)
    process.exitCode = 1
  } else writeFileSync(path, after)
}
