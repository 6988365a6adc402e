import { Context, Layer } from "effect"

/** The tables of the stores' memory layers, kept together so that a transaction can be rolled back. */
export class MemoryTables extends Context.Service<
  MemoryTables,
  {
    /** A new, empty table. Its rows must be immutable. */
    readonly make: <Row>() => Map<string, Row>
    /** Saves the content of all tables; the returned function restores it. */
    readonly snapshot: () => () => void
  }
>()("outreach-forecast/database/MemoryTables") {
  static readonly layer = Layer.sync(MemoryTables, () => {
    const snapshots: Array<() => () => void> = []
    return MemoryTables.of({
      make: <Row>() => {
        const rows = new Map<string, Row>()
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
