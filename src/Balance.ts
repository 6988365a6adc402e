/** The credits that a key has left, and the total it was ever given. */
export interface Balance {
  readonly remaining: number
  readonly granted: number
}
