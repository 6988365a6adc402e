/** Rows that are deleted by one of their times alone. */
export interface Expiring {
  readonly table: string
  /** The primary key. */
  readonly id: string
  /** The time that counts, in milliseconds UTC. Where it is NULL the row stays. */
  readonly column: string
  /** How long after that time a row is deleted, in milliseconds. */
  readonly lifetime: number
  /** What the rows are looked up by, oldest first: an indexed column, `column` itself unless another one grows with it. */
  readonly oldestFirst?: string
}
