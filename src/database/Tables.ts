/** A table to copy: the columns of its primary key, and whether the database numbers its rows. */
export interface Table {
  readonly name: string
  readonly key: ReadonlyArray<string>
  readonly isNumbered: boolean
}

const table = (name: string, ...key: ReadonlyArray<string>): Table => ({ name, key, isNumbered: false })
const numbered = (name: string): Table => ({ name, key: ["id"], isNumbered: true })

/** The tables that make up an installation and are copied, each after those that it references. */
export const tables: ReadonlyArray<Table> = [
  table("api_keys", "id"),
  table("sub_keys", "id"),
  table("key_secrets", "hash"),
  table("credit_balances", "key_id"),
  numbered("credit_ledger"),
  table("usage_months", "key_id", "month"),
  table("usage_days", "key_id", "day", "sub_key_id"),
  table("unsubscribed_keys", "key_id"),
  table("unsubscribe_links", "hash"),
  table("reveal_links", "id"),
  table("reveal_tokens", "hash"),
  table("mails", "id"),
  numbered("audit_log"),
  numbered("idempotent_answers"),
  table("orders", "id"),
  table("order_secrets", "hash"),
  table("payment_events", "id"),
  table("call_counts", "prefix", "day", "code")
]

/** The tables whose content is short-lived, or of this database, and is not copied. */
export const passingTables: ReadonlyArray<string> = ["readiness", "request_counts", "account_sessions", "ledger_audit"]

/** The tables that a forecast writes, and those that its foreign keys lead to. */
export const forecastTables: { readonly written: ReadonlyArray<string>; readonly referenced: ReadonlyArray<string> } = {
  written: [
    "key_secrets",
    "sub_keys",
    "credit_balances",
    "credit_ledger",
    "usage_months",
    "usage_days",
    "idempotent_answers"
  ],
  referenced: ["api_keys"]
}
