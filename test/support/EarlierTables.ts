import { PgClient } from "@effect/sql-pg"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Effect, Redacted } from "effect"
import { Migrator } from "effect/sql"
import { migrations } from "../../src/database/Migrations.ts"

/** The client of a database at a URL like DATABASE_URL, which creates no tables. */
export const clientOf = (url: string) =>
  url.startsWith("sqlite:")
    ? SqliteClient.layer({ filename: url.slice("sqlite:".length) })
    : PgClient.layer({ url: Redacted.make(url) })

/** Creates the tables as they were before a migration. */
export const migrateBefore = (migration: number) =>
  Migrator.make({})({ loader: Effect.map(migrations, (all) => all.filter(([id]) => id < migration)) })
