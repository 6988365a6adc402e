/** A table as a copy sees it: the columns of its primary key, and whether the database numbers its rows. */
export interface Table {
  readonly name: string
  readonly key: ReadonlyArray<string>
  readonly isNumbered: boolean
}

const table = (name: string, ...key: ReadonlyArray<string>): Table => ({ name, key, isNumbered: false })
const numbered = (name: string): Table => ({ name, key: ["id"], isNumbered: true })

/** What an installation consists of: every table that is copied, each after those that it refers to. */
export const tables: ReadonlyArray<Table> = [
  table("api_keys", "id"),
  table("key_secrets", "hash"),
  table("credit_balances", "key_id"),
  numbered("credit_ledger"),
  table("usage_months", "key_id", "month"),
  table("reveal_links", "id"),
  table("reveal_tokens", "hash"),
  table("mails", "id"),
  numbered("audit_log"),
  numbered("idempotent_answers"),
  table("orders", "id"),
  table("payment_events", "id")
]

/** What is true for a moment only, and begins anew in another database. */
export const passingTables: ReadonlyArray<string> = ["readiness", "request_counts"]
