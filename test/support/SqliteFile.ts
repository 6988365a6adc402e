import { DatabaseSync } from "node:sqlite"

/**
 * Opens a SQLite file beside the service. Whoever may be writing at that
 * moment (a background job of a server just started, say) is waited for, as
 * the service itself waits; SQLite's own default is to fail at once.
 */
export const openSqlite = (file: string, options: { readonly readOnly?: boolean } = {}) =>
  new DatabaseSync(file, { timeout: 10_000, ...options })
