/** The rates of a campaign in the order of its funnel. */
export const rateNames = [
  "delivery_rate",
  "reply_rate",
  "positive_reply_rate",
  "meeting_booking_rate",
  "show_rate",
  "close_rate"
] as const
export type RateName = (typeof rateNames)[number]

/** How much rates vary between campaigns: as has been published, which is the default, or not at all. */
export const spreads = ["published", "none"] as const
export type Spread = (typeof spreads)[number]
