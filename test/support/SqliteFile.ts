import { DatabaseSync } from "node:sqlite"

/**
 * Opens a SQLite file that the service uses. Waits for concurrent writes, such as a background job of a server that has
 * just started, like the service itself; SQLite's own default is to fail immediately.
 */
export const openSqlite = (file: string, options: { readonly readOnly?: boolean } = {}) =>
  new DatabaseSync(file, { timeout: 10_000, ...options })

const using = <A>(file: string, use: (database: DatabaseSync) => A): A => {
  const database = openSqlite(file)
  try {
    return use(database)
  } finally {
    database.close()
  }
}

/** Runs statements in a SQLite file, which is created if there is none. */
export const changeSqlite = (file: string, ...statements: ReadonlyArray<string>): void =>
  using(file, (database) => {
    for (const statement of statements) database.exec(statement)
  })

/** The rows that a query finds in a SQLite file. */
export const rowsOfSqlite = (file: string, query: string) =>
  using(file, (database) =>
    database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }))
  )
