// Writes the parts of pages that are generated: tables, from the code that they describe, and the sections on codes of
// docs/errors.md. With `--check` it writes nothing, and exits with status 1 if a page is out of date.
import { readFileSync, writeFileSync } from "node:fs"
import { agents } from "./docTables/agents.ts"
import { architecture } from "./docTables/architecture.ts"
import { certainty } from "./docTables/certainty.ts"
import { clients } from "./docTables/clients.ts"
import { errors, withSections } from "./docTables/errors.ts"
import { firstCall } from "./docTables/firstCall.ts"
import { operation } from "./docTables/operation.ts"
import { withTable } from "./docTables/Page.ts"
import { pastCampaigns } from "./docTables/pastCampaigns.ts"
import { progress } from "./docTables/progress.ts"
import { rates } from "./docTables/rates.ts"
import type { Table } from "../src/extensions/guide/fieldTables.ts"

const pages: Readonly<Record<string, ReadonlyArray<Table>>> = {
  agents,
  architecture,
  certainty,
  clients,
  errors,
  "first-call": firstCall,
  operation,
  "past-campaigns": pastCampaigns,
  progress,
  rates
}

for (const [name, tables] of Object.entries(pages)) {
  const path = new URL(`../docs/${name}.md`, import.meta.url)
  const before = readFileSync(path, "utf8")
  const page = tables.reduce(withTable, before)
  const after = name === "errors" ? withSections(page) : page
  if (after === before) continue
  if (process.argv.includes("--check")) {
    console.error(`docs/${name}.md is out of date: npm run fix updates it`)
    process.exitCode = 1
  } else writeFileSync(path, after)
}
