import { Context, Layer } from "effect"

/** The tables of the stores' memory layers, kept together so that a transaction can undo what it did to them. */
export class MemoryTables extends Context.Service<
  MemoryTables,
  {
    /** A new, empty table. Its rows must be immutable. */
    readonly make: <Row>() => Map<string, Row>
    /** All tables that were made. */
    readonly all: ReadonlyArray<ReadonlyMap<string, unknown>>
    /** Remembers the content of all tables; the function it returns puts it back. */
    readonly snapshot: () => () => void
  }
>()("outreach-forecast/database/MemoryTables") {
  static readonly layer = Layer.sync(MemoryTables, () => {
    const snapshots: Array<() => () => void> = []
    const all: Array<ReadonlyMap<string, unknown>> = []
    return MemoryTables.of({
      all,
      make: <Row>() => {
        const rows = new Map<string, Row>()
        all.push(rows)
        snapshots.push(() => {
          const before = [...rows]
          return () => {
            rows.clear()
            for (const [key, row] of before) rows.set(key, row)
          }
        })
        return rows
      },
      snapshot: () => {
        const restores = snapshots.map((snapshot) => snapshot())
        return () => restores.forEach((restore) => restore())
      }
    })
  })
}
