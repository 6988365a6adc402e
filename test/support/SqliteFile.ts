import { DatabaseSync } from "node:sqlite"

/**
 * Opens a SQLite file that the service uses. Waits for concurrent writes, such as a background job of a server that has
 * just started, like the service itself; SQLite's own default is to fail immediately.
 */
export const openSqlite = (file: string, options: { readonly readOnly?: boolean } = {}) =>
  new DatabaseSync(file, { timeout: 10_000, ...options })
