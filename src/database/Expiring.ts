/** Rows that are deleted some time after one of their timestamps. */
export interface Expiring {
  readonly table: string
  /** The primary key. */
  readonly id: string
  /** The column with that timestamp, in milliseconds UTC. Rows with NULL stay. */
  readonly column: string
  /** The delay after which a row is deleted, in milliseconds. */
  readonly lifetime: number
  /**
   * The indexed column by which rows are found, oldest first: by default `column` itself, or another one that grows
   * with it.
   */
  readonly oldestFirst?: string
}
