/** The least and the greatest value of a number in a request, and whether it must be whole. */
export interface NumberBounds {
  readonly minimum: number
  /** True if the number must be above the minimum; by default it may be equal to it. */
  readonly isMinimumExcluded?: boolean
  readonly maximum: number
  readonly isWhole?: boolean
}

/** Percentages of every rate. */
export const percentBounds: NumberBounds = { minimum: 0, maximum: 100 }

/** Amounts of money. */
export const amountBounds: NumberBounds = { minimum: 0, maximum: 1_000_000_000 }

/** Counts of a completed campaign: its emails and the people at each later stage. */
export const pastEmailsBounds: NumberBounds = { minimum: 1, maximum: 100_000_000, isWhole: true }
export const pastCountBounds: NumberBounds = { minimum: 0, maximum: 100_000_000, isWhole: true }

/** Bounds of the emails of a campaign in flight that are still to be sent, and of the undecided cases of each count. */
export const emailsLeftBounds: NumberBounds = { minimum: 0, maximum: 100_000, isWhole: true }

/** The target of a goal: a number of people, an amount, or a multiple of the cost. */
export const peopleAimBounds: NumberBounds = { minimum: 0, isMinimumExcluded: true, maximum: 100_000_000 }
export const moneyAimBounds: NumberBounds = { minimum: 0, isMinimumExcluded: true, maximum: 1_000_000_000_000 }
export const multipleAimBounds: NumberBounds = { minimum: 0, isMinimumExcluded: true, maximum: 1_000_000_000 }
export const chanceBounds: NumberBounds = { minimum: 0.5, maximum: 0.999 }
