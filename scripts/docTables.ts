// Writes the parts of pages that are generated: tables, from the code that they describe, the sections on codes of
// docs/errors.md, and the sizes in README.md. With `--check` it writes nothing, and exits with status 1 if a page is out of date.
import { readFileSync, writeFileSync } from "node:fs"
import { agents } from "./docTables/agents.ts"
import { architecture } from "./docTables/architecture.ts"
import { certainty } from "./docTables/certainty.ts"
import { clients } from "./docTables/clients.ts"
import { extensionTable, readme, withSizes } from "./docTables/code.ts"
import { errors, withSections } from "./docTables/errors.ts"
import { firstCall } from "./docTables/firstCall.ts"
import { operation } from "./docTables/operation.ts"
import { withTable } from "./docTables/Page.ts"
import { pastCampaigns } from "./docTables/pastCampaigns.ts"
import { progress } from "./docTables/progress.ts"
import { rates } from "./docTables/rates.ts"
import type { Table } from "../src/extensions/guide/fieldTables.ts"

const pages: Readonly<Record<string, ReadonlyArray<Table>>> = {
  "README.md": readme,
  "docs/agents.md": agents,
  "docs/architecture.md": [...architecture, extensionTable],
  "docs/certainty.md": certainty,
  "docs/clients.md": clients,
  "docs/errors.md": errors,
  "docs/first-call.md": firstCall,
  "docs/operation.md": operation,
  "docs/past-campaigns.md": pastCampaigns,
  "docs/progress.md": progress,
  "docs/rates.md": rates
}

/** The pages with more that is generated than their tables. */
const others: Readonly<Record<string, (page: string) => string>> = {
  "README.md": withSizes,
  "docs/errors.md": withSections
}

for (const [name, tables] of Object.entries(pages)) {
  const path = new URL(`../${name}`, import.meta.url)
  const before = readFileSync(path, "utf8")
  const page = tables.reduce(withTable, before)
  const after = others[name]?.(page) ?? page
  if (after === before) continue
  if (process.argv.includes("--check")) {
    console.error(`${name} is out of date: npm run fix updates it`)
    process.exitCode = 1
  } else writeFileSync(path, after)
}
