import { Context, Layer } from "effect"

const make = () => {
  const tables = new Map<string, Map<string, unknown>>()
  function table<Row>(name: string): Map<string, Row>
  // Whoever names a table vouches for the type of its rows.
  function table(name: string): Map<string, unknown> {
    const found = tables.get(name) ?? new Map<string, unknown>()
    tables.set(name, found)
    return found
  }
  const snapshot = () => {
    const before = [...tables.values()].map((rows) => [rows, [...rows]] as const)
    return () => {
      for (const [rows, content] of before) {
        rows.clear()
        for (const [key, row] of content) rows.set(key, row)
      }
    }
  }
  return { table, snapshot }
}

/** The tables of the stores' memory layers, kept together so that a transaction can be rolled back. */
export class MemoryTables extends Context.Service<
  MemoryTables,
  {
    /** A table by its name, as stores share it. Its rows must be immutable. */
    readonly table: <Row>(name: string) => Map<string, Row>
    /** Saves the content of all tables; the returned function restores it. */
    readonly snapshot: () => () => void
  }
>()("outreach-forecast/database/MemoryTables") {
  static readonly layer = Layer.sync(MemoryTables, () => MemoryTables.of(make()))
}
