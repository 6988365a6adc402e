/** The credits that a key has left, and all that it was ever given. */
export interface Balance {
  readonly remaining: number
  readonly granted: number
}
