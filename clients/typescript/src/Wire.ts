// Generated from the OpenAPI document by `npm run fix`. Do not edit.

/** The assumptions of a campaign. Rates are percentages from 0 to 100, not fractions. The camelCase spellings of the first seven fields (emailsSent, replyRate, …) are accepted too; a field that is not listed here is an error. A number has at most 40 decimal places. */
export interface ForecastRequest {
  /** Number of emails sent. An integer from 1 to 100,000,000. */
  readonly emails_sent: number
  /** Percentage of emails that a person replies to, without automatic replies such as out of office; of delivered emails where delivery_rate is given. 5 means 5 percent. A number from 0 to 100. */
  readonly reply_rate: number
  /** Percentage of replies that are positive. 5 means 5 percent. A number from 0 to 100. */
  readonly positive_reply_rate: number
  /** Percentage of positive replies that become booked meetings. 5 means 5 percent. A number from 0 to 100. */
  readonly meeting_booking_rate: number
  /** Percentage of booked meetings that become clients; of held ones where show_rate is given. 5 means 5 percent. A number from 0 to 100. */
  readonly close_rate: number
  /** Revenue per client, in your currency. A number from 0 to 1,000,000,000. */
  readonly average_deal_value?: number | null | undefined
  /** Total cost of the campaign, in the same currency. A number from 0 to 1,000,000,000. */
  readonly campaign_cost?: number | null | undefined
  /** Percentage of emails that are delivered: 100 minus the bounce rate. 5 means 5 percent. A number from 0 to 100. */
  readonly delivery_rate?: number | null | undefined
  /** Percentage of booked meetings that are held. 5 means 5 percent. A number from 0 to 100. */
  readonly show_rate?: number | null | undefined
  /** How many of the emails go to one contact, follow-ups included. Makes the reply rate comparable, and bounds it: it is at most 100 divided by this. An integer from 1 to 20. */
  readonly emails_per_contact?: number | null | undefined
  /** How much rates vary between campaigns. published, the default: the reply rate varies around its value as in 556 published campaigns. none: every rate is exactly as given. Rates learned from history vary in either case. */
  readonly spread?: "published" | "none" | null | undefined
  /** All your past campaigns, 1 to 100, also those that failed; this one goes to POST /api/v1/progress. */
  readonly history?: ReadonlyArray<PastCampaign> | null | undefined
}

/** The forecast of a campaign, and the usage and remaining credits of the key. */
export interface ForecastAnswer {
  /** One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded. */
  readonly summary: string
  /** Forecast replies, to 4 decimals. */
  readonly estimated_replies: number
  /** Forecast positive replies, to 4 decimals. */
  readonly estimated_positive_replies: number
  /** Forecast booked meetings, to 4 decimals. */
  readonly estimated_meetings: number
  /** Forecast clients, to 4 decimals; may be fractional. */
  readonly estimated_clients: number
  /** Forecast revenue, to 2 decimals. Null when it cannot be computed. */
  readonly estimated_revenue: number | null
  /** Revenue over campaign cost, to 1 decimal. Null when it cannot be computed. */
  readonly roi_multiple: number | null
  /** Campaign cost per reply, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_reply: number | null
  /** Campaign cost per meeting, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_meeting: number | null
  /** Campaign cost per client, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_client: number | null
  /** Forecast revenue less campaign cost, to 2 decimals. Null when it cannot be computed. */
  readonly estimated_profit: number | null
  /** Profit as a percentage of campaign cost, to 1 decimal. Null when it cannot be computed. */
  readonly roi_percent: number | null
  /** Forecast delivered emails, to 4 decimals, where delivery_rate is given. Null when it cannot be computed. */
  readonly estimated_delivered: number | null
  /** Forecast held meetings, to 4 decimals, where show_rate is given. Null when it cannot be computed. */
  readonly estimated_meetings_held: number | null
  /** How certain the forecast is: how much the results of such campaigns vary. */
  readonly outlook: Outlook
  /** Null without a history, or with fewer than 3 past campaigns that have replies. */
  readonly track_record: TrackRecord | null
  /** For each input, the value at which the expected revenue covers the cost if all other inputs stay the same. Null if no value is enough, or if an input that it depends on is missing. The delivery rate and the show rate are present only if the request has them. */
  readonly break_even: BreakEven
  /** What it brings on average to test 2, 3 or 5 lists, or first emails, and to send the rest to the one with the most replies. To win more clients, count positive replies twice. Null if the reply rate does not vary, or with fewer than 1,000 emails. */
  readonly test_first: ReadonlyArray<TestFirst> | null
  /** By the exact ROI: weak below 1, break_even_or_unclear below 3, healthy below 10, strong from 10 up; break_even_or_unclear too when the ROI is unknown, or when it is 3 or more with small_sample or cost_looks_incomplete. By the ROI of the median if the expected replies are above their range. */
  readonly performance_grade: "strong" | "healthy" | "break_even_or_unclear" | "weak"
  /** Risks of the assumptions or the result; empty if there are none. */
  readonly risk_flags: ReadonlyArray<"low_reply_rate" | "optimistic_reply_rate" | "low_positive_reply_rate" | "optimistic_positive_reply_rate" | "low_meeting_booking_rate" | "optimistic_meeting_booking_rate" | "low_close_rate" | "optimistic_close_rate" | "high_volume" | "small_sample" | "high_bounce_rate" | "negative_roi" | "missing_deal_value" | "missing_campaign_cost" | "zero_campaign_cost" | "cost_looks_incomplete" | "rates_look_like_fractions">
  /** What to do, most valuable first: a few sentences, each with a number in it. */
  readonly recommendations: ReadonlyArray<string>
  /** How each figure was computed from this request, why a figure is null, and the limits of a forecast. */
  readonly calculation_notes: ReadonlyArray<string>
  /** The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change. */
  readonly model_version: string
  /** The usage and the remaining credits of the key. */
  readonly usage: Usage
}

/** The forecast of a campaign with a campaign score and a risk level. */
export interface LegacyForecastAnswer {
  /** Forecast replies, to 4 decimals. */
  readonly estimated_replies: number
  /** Forecast positive replies, to 4 decimals. */
  readonly estimated_positive_replies: number
  /** Forecast booked meetings, to 4 decimals. */
  readonly estimated_meetings: number
  /** Forecast clients, to 4 decimals; may be fractional. */
  readonly estimated_clients: number
  /** Forecast revenue, to 2 decimals. Null when it cannot be computed. */
  readonly estimated_revenue: number | null
  /** Revenue over campaign cost, to 1 decimal. Null when it cannot be computed. */
  readonly roi_multiple: number | null
  /** Campaign cost per reply, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_reply: number | null
  /** Campaign cost per meeting, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_meeting: number | null
  /** Campaign cost per client, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_client: number | null
  /** Forecast revenue less campaign cost, to 2 decimals. Null when it cannot be computed. */
  readonly estimated_profit: number | null
  /** Profit as a percentage of campaign cost, to 1 decimal. Null when it cannot be computed. */
  readonly roi_percent: number | null
  /** Forecast delivered emails, to 4 decimals, where delivery_rate is given. Null when it cannot be computed. */
  readonly estimated_delivered: number | null
  /** Forecast held meetings, to 4 decimals, where show_rate is given. Null when it cannot be computed. */
  readonly estimated_meetings_held: number | null
  /** How certain the forecast is: how much the results of such campaigns vary. */
  readonly outlook: Outlook
  /** Null without a history, or with fewer than 3 past campaigns that have replies. */
  readonly track_record: TrackRecord | null
  /** For each input, the value at which the expected revenue covers the cost if all other inputs stay the same. Null if no value is enough, or if an input that it depends on is missing. The delivery rate and the show rate are present only if the request has them. */
  readonly break_even: BreakEven
  /** What it brings on average to test 2, 3 or 5 lists, or first emails, and to send the rest to the one with the most replies. To win more clients, count positive replies twice. Null if the reply rate does not vary, or with fewer than 1,000 emails. */
  readonly test_first: ReadonlyArray<TestFirst> | null
  /** By the exact ROI: weak below 1, break_even_or_unclear below 3, healthy below 10, strong from 10 up; break_even_or_unclear too when the ROI is unknown, or when it is 3 or more with small_sample or cost_looks_incomplete. By the ROI of the median if the expected replies are above their range. */
  readonly performance_grade: "strong" | "healthy" | "break_even_or_unclear" | "weak"
  /** Risks of the assumptions or the result; empty if there are none. */
  readonly risk_flags: ReadonlyArray<"low_reply_rate" | "optimistic_reply_rate" | "low_positive_reply_rate" | "optimistic_positive_reply_rate" | "low_meeting_booking_rate" | "optimistic_meeting_booking_rate" | "low_close_rate" | "optimistic_close_rate" | "high_volume" | "small_sample" | "high_bounce_rate" | "negative_roi" | "missing_deal_value" | "missing_campaign_cost" | "zero_campaign_cost" | "cost_looks_incomplete" | "rates_look_like_fractions">
  /** What to do, most valuable first: a few sentences, each with a number in it. */
  readonly recommendations: ReadonlyArray<string>
  /** How each figure was computed from this request, why a figure is null, and the limits of a forecast. */
  readonly calculation_notes: ReadonlyArray<string>
  /** The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change. */
  readonly model_version: string
  /** Score from 0 to 100, with weights of our own. An integer from 0 to 100. */
  readonly campaign_score: number
  /** Risk level, from the number and kind of the risk flags. */
  readonly risk_level: "low" | "medium" | "high"
  /** The usage and the remaining credits of the key. */
  readonly usage: Usage
}

/** The assumptions of a campaign, as for a forecast, and its goal. */
export interface GoalRequest {
  /** Number of emails sent. An integer from 1 to 100,000,000. */
  readonly emails_sent: number
  /** Percentage of emails that a person replies to, without automatic replies such as out of office; of delivered emails where delivery_rate is given. 5 means 5 percent. A number from 0 to 100. */
  readonly reply_rate: number
  /** Percentage of replies that are positive. 5 means 5 percent. A number from 0 to 100. */
  readonly positive_reply_rate: number
  /** Percentage of positive replies that become booked meetings. 5 means 5 percent. A number from 0 to 100. */
  readonly meeting_booking_rate: number
  /** Percentage of booked meetings that become clients; of held ones where show_rate is given. 5 means 5 percent. A number from 0 to 100. */
  readonly close_rate: number
  /** Revenue per client, in your currency. A number from 0 to 1,000,000,000. */
  readonly average_deal_value?: number | null | undefined
  /** Total cost of the campaign, in the same currency. A number from 0 to 1,000,000,000. */
  readonly campaign_cost?: number | null | undefined
  /** Percentage of emails that are delivered: 100 minus the bounce rate. 5 means 5 percent. A number from 0 to 100. */
  readonly delivery_rate?: number | null | undefined
  /** Percentage of booked meetings that are held. 5 means 5 percent. A number from 0 to 100. */
  readonly show_rate?: number | null | undefined
  /** How many of the emails go to one contact, follow-ups included. Makes the reply rate comparable, and bounds it: it is at most 100 divided by this. An integer from 1 to 20. */
  readonly emails_per_contact?: number | null | undefined
  /** How much rates vary between campaigns. published, the default: the reply rate varies around its value as in 556 published campaigns. none: every rate is exactly as given. Rates learned from history vary in either case. */
  readonly spread?: "published" | "none" | null | undefined
  /** All your past campaigns, 1 to 100, also those that failed; this one goes to POST /api/v1/progress. */
  readonly history?: ReadonlyArray<PastCampaign> | null | undefined
  /** The goal of the campaign: exactly one aim, and optionally the chance of reaching it. */
  readonly goal: Goal
}

/** What it takes to reach a goal by changing one input at a time, and the usage and remaining credits of the key. */
export interface GoalAnswer {
  /** One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded. */
  readonly summary: string
  /** The goal of the request. */
  readonly goal: GoalAnswerGoal
  /** The average result of the campaign without changes. Null when it cannot be computed. */
  readonly expected_now: number | null
  /** Chance that the campaign reaches the goal without changes, to 4 decimals. Null when it cannot be computed. */
  readonly chance_now: number | null
  /** True if the campaign reaches the goal without changes: on average, or with the requested chance. */
  readonly reached: boolean
  /** The value that each input needs if it alone is changed; inputs that do not affect the goal are left out. */
  readonly needed: GoalAnswerNeeded
  /** How the answer was computed, why a figure is null, and what the answer cannot know. */
  readonly calculation_notes: ReadonlyArray<string>
  /** The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change. */
  readonly model_version: string
  /** The usage and the remaining credits of the key. */
  readonly usage: Usage
}

/** The plan of a campaign, as for a forecast, and its results so far. It may include a history of other campaigns: so_far holds the results of this one. */
export interface ProgressRequest {
  /** Number of emails sent. An integer from 1 to 100,000,000. */
  readonly emails_sent: number
  /** Percentage of emails that a person replies to, without automatic replies such as out of office; of delivered emails where delivery_rate is given. 5 means 5 percent. A number from 0 to 100. */
  readonly reply_rate: number
  /** Percentage of replies that are positive. 5 means 5 percent. A number from 0 to 100. */
  readonly positive_reply_rate: number
  /** Percentage of positive replies that become booked meetings. 5 means 5 percent. A number from 0 to 100. */
  readonly meeting_booking_rate: number
  /** Percentage of booked meetings that become clients; of held ones where show_rate is given. 5 means 5 percent. A number from 0 to 100. */
  readonly close_rate: number
  /** Revenue per client, in your currency. A number from 0 to 1,000,000,000. */
  readonly average_deal_value?: number | null | undefined
  /** Total cost of the campaign, in the same currency. A number from 0 to 1,000,000,000. */
  readonly campaign_cost?: number | null | undefined
  /** Percentage of emails that are delivered: 100 minus the bounce rate. 5 means 5 percent. A number from 0 to 100. */
  readonly delivery_rate?: number | null | undefined
  /** Percentage of booked meetings that are held. 5 means 5 percent. A number from 0 to 100. */
  readonly show_rate?: number | null | undefined
  /** How many of the emails go to one contact, follow-ups included. Makes the reply rate comparable, and bounds it: it is at most 100 divided by this. An integer from 1 to 20. */
  readonly emails_per_contact?: number | null | undefined
  /** How much rates vary between campaigns. published, the default: the reply rate varies around its value as in 556 published campaigns. none: every rate is exactly as given. Rates learned from history vary in either case. */
  readonly spread?: "published" | "none" | null | undefined
  /** All your past campaigns, 1 to 100, also those that failed; this one goes to POST /api/v1/progress. */
  readonly history?: ReadonlyArray<PastCampaign> | null | undefined
  /** The results so far: whole numbers, none greater than the one before it. */
  readonly so_far: SoFar
  /** The part of each count that is undecided, 0 by default: at most those that have not reached the next count. All others count as decided. */
  readonly open?: OpenCounts | null | undefined
  /** Emails still to be sent. By default, emails_sent of the plan less those sent so far. An integer from 0 to 100,000. */
  readonly emails_left?: number | null | undefined
}

/** Where a campaign in flight ends compared with its plan, and the usage and remaining credits of the key. */
export interface ProgressAnswer {
  /** One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded. */
  readonly summary: string
  /** The end of the campaign if all remaining emails are sent. */
  readonly end: ProgressAnswerEnd
  /** The planned clients, and the chance of still reaching them. */
  readonly plan: ProgressAnswerPlan
  /** The end of the campaign without another email. */
  readonly if_you_stop_now: ProgressAnswerIfYouStopNow
  /** Clients at the end if none, a quarter, half, three quarters or all of the remaining emails are sent. */
  readonly if_you_send: ReadonlyArray<IfYouSend>
  /** Each rate of the plan, compared with what was observed. */
  readonly against_the_plan: ProgressAnswerAgainstThePlan
  /** The rate that is below its plan with the smallest chance. Null if none is. */
  readonly weakest: "delivery_rate" | "reply_rate" | "positive_reply_rate" | "meeting_booking_rate" | "show_rate" | "close_rate" | null
  /** What the ranges assume about each rate. The delivery rate and the show rate are present only if the request has them. */
  readonly rates: RateOutlooks
  /** What to do, at most three sentences. */
  readonly recommendations: ReadonlyArray<string>
  /** The counts that were taken as decided, how the answer was computed, and its limits. */
  readonly calculation_notes: ReadonlyArray<string>
  /** The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change. */
  readonly model_version: string
  /** The usage and the remaining credits of the key. */
  readonly usage: Usage
}

/** Campaigns to be forecast together, with or without names, and the history that their rates are learned from, if you have one. With a history, the campaigns may have at most 20 distinct sets of rates, and each set is learned once. A field that is not listed here is an error. */
export interface CampaignsRequest {
  /** The campaigns, 1 to 1,000. */
  readonly campaigns: ReadonlyArray<Campaign>
  /** All your past campaigns, 1 to 100, also those that failed; this one goes to POST /api/v1/progress. */
  readonly history?: ReadonlyArray<PastCampaign> | null | undefined
  /** true for the campaigns of different clients, which have nothing in common. By default they are one sender's: if the reply rate of one is lower than planned, so are those of the others, as far as reply rates vary as published. It changes totals and ranking only. Not with a history, which is one sender's. */
  readonly independent?: boolean | null | undefined
}

/** The forecasts of many campaigns, their totals, and their ranking. */
export interface CampaignsAnswer {
  /** The forecast of each campaign, in the order of the request. */
  readonly forecasts: ReadonlyArray<CampaignForecast>
  /** The total of the campaigns: of one sender, if the request does not say that they are independent. */
  readonly totals: PortfolioTotals
  /** Of the history, at the first campaign's rates. Null without a history, or with fewer than 3 past campaigns that have replies. */
  readonly track_record: TrackRecord | null
  /** The campaigns by expected result, best first, and how certain each rank is. */
  readonly ranking: Ranking
  /** How the totals and the ranking were computed, why a figure is null, and what they assume. */
  readonly calculation_notes: ReadonlyArray<string>
  /** The usage and the remaining credits of the key. */
  readonly usage: Usage
}

/** Published figures on cold outreach, and the ones that the service compares requests with. */
export interface Benchmarks {
  /** The published figures and ranges. */
  readonly rows: ReadonlyArray<Benchmark>
  /** The numbers beyond which risk flags are raised. */
  readonly thresholds: ReadonlyArray<BenchmarkThreshold>
  /** The numbers that recommendations compare with. */
  readonly references: ReadonlyArray<BenchmarkReference>
}

/** The usage and the remaining credits of a key. */
export interface KeyUsage {
  /** The first characters of the key. */
  readonly key_prefix: string
  /** The name of the sub-key; only for a sub-key. */
  readonly name?: string | undefined
  /** The credits that the sub-key may spend in a month, null if there is no limit; only for a sub-key. */
  readonly monthly_limit?: number | null | undefined
  /** The state of the key. */
  readonly state: "unconfirmed" | "usable" | "revoked"
  /** active if the key may be used. */
  readonly plan: "active" | "inactive"
  /** Credits left on the key; they never expire. For a sub-key with a limit, those of them that it may still spend in the month. */
  readonly credits_remaining: number
  /** The total number of credits ever added to the key; not for a sub-key with a limit. */
  readonly credits_granted?: number | undefined
  /** Credits that this sub-key may still spend in the month; only if it has a limit. */
  readonly sub_key_credits_remaining?: number | undefined
  /** The current month in UTC. */
  readonly month: string
  /** Successful forecasts of this key or sub-key in the month. */
  readonly requests: number
  /** Successful forecasts by month, newest first. */
  readonly requests_by_month: ReadonlyArray<KeyUsageRequestsByMonth>
}

/** The forecasts of a month by day and sub-key, or by sub-key. */
export interface UsageTable {
  /** The month in UTC. */
  readonly month: string
  /** How the forecasts are grouped. */
  readonly by: "day" | "sub_key"
  /** Only days and sub-keys with forecasts. */
  readonly rows: ReadonlyArray<UsageRow>
}

/** A page of the changes of a key's credits. */
export interface LedgerPage {
  /** The changes, newest first. */
  readonly entries: ReadonlyArray<LedgerEntry>
  /** Pass it as cursor to get the next page; null on the last page. */
  readonly next_cursor: string | null
}

/** The credit packs for sale. */
export interface CreditPacks {
  /** The packs. */
  readonly packs: ReadonlyArray<CreditPack>
}

/** Options for replacing a key. The body is optional. */
export interface Rotation {
  /** The number of hours that the old key stays valid, 0 to 72; 24 by default. An integer from 0 to 72. */
  readonly grace_hours?: number | null | undefined
}

/** A new key that replaces the one in the request. */
export interface RotatedKey {
  /** The new key. It is shown only this once. */
  readonly api_key: string
  /** The time when the old key stops working, in UTC. */
  readonly old_key_valid_until: string
}

/** A page of the sub-keys of a key. */
export interface SubKeys {
  /** Oldest first, including those revoked in the last 90 days. */
  readonly sub_keys: ReadonlyArray<SubKey>
  /** Pass it as cursor to get the next page; null on the last page. */
  readonly next_cursor: string | null
}

/** A new sub-key. */
export interface SubKeyInput {
  /** The name of the sub-key: 1 to 50 characters. No two usable sub-keys of a key have names that look the same, whatever their case. */
  readonly name: string
  /** The most credits that it may spend in a UTC month; no limit if null. An integer from 1 to 1,000,000,000. */
  readonly monthly_limit?: number | null | undefined
}

/** A new sub-key with its secret. */
export interface CreatedSubKey {
  /** The ID of the sub-key; not a secret. */
  readonly sub_key_id: string
  /** The name of the sub-key. */
  readonly name: string
  /** The first characters of its secret. */
  readonly key_prefix: string
  /** The most credits that it may spend in a UTC month; null if there is no limit. */
  readonly monthly_limit: number | null
  /** A revoked sub-key is listed for 90 days. */
  readonly state: "usable" | "revoked"
  /** The time of its creation, in UTC. */
  readonly created_at: string
  /** The time when it last spent a credit, in UTC; null if it never did. */
  readonly last_used_at: string | null
  /** The current month in UTC. */
  readonly month: string
  /** Its successful forecasts in the month. */
  readonly requests: number
  /** The secret of the sub-key. It is shown only this once. */
  readonly api_key: string
}

/** A sub-key. */
export interface SubKey {
  /** The ID of the sub-key; not a secret. */
  readonly sub_key_id: string
  /** The name of the sub-key. */
  readonly name: string
  /** The first characters of its secret. */
  readonly key_prefix: string
  /** The most credits that it may spend in a UTC month; null if there is no limit. */
  readonly monthly_limit: number | null
  /** A revoked sub-key is listed for 90 days. */
  readonly state: "usable" | "revoked"
  /** The time of its creation, in UTC. */
  readonly created_at: string
  /** The time when it last spent a credit, in UTC; null if it never did. */
  readonly last_used_at: string | null
  /** The current month in UTC. */
  readonly month: string
  /** Its successful forecasts in the month. */
  readonly requests: number
}

/** A new name, a new limit, or both; a monthly_limit of null removes the limit. What is left out stays as it is. */
export interface SubKeyChange {
  /** The name of the sub-key: 1 to 50 characters. No two usable sub-keys of a key have names that look the same, whatever their case. */
  readonly name?: string | null | undefined
  /** The most credits that it may spend in a UTC month; no limit if null. An integer from 1 to 1,000,000,000. */
  readonly monthly_limit?: number | null | undefined
}

/** An error in the request. */
export interface FieldError {
  /** JSON Pointer (RFC 6901) to the field of the body, in your own spelling, or / and the name of the query parameter or header; empty for the body or the query as a whole. */
  readonly pointer: string
  /** The error and what to do. */
  readonly message: string
  /** Stable code for programs. */
  readonly code: "required" | "wrong_type" | "out_of_range" | "not_an_integer" | "invalid_format" | "unknown_field" | "duplicate_field"
}

/** The short form of a forecast, with Prefer: return=minimal. */
export interface MinimalForecast {
  /** One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded. */
  readonly summary: string
  /** Forecast replies, to 4 decimals. */
  readonly estimated_replies: number
  /** Forecast positive replies, to 4 decimals. */
  readonly estimated_positive_replies: number
  /** Forecast booked meetings, to 4 decimals. */
  readonly estimated_meetings: number
  /** Forecast clients, to 4 decimals; may be fractional. */
  readonly estimated_clients: number
  /** Forecast revenue, to 2 decimals. Null when it cannot be computed. */
  readonly estimated_revenue: number | null
  /** Revenue over campaign cost, to 1 decimal. Null when it cannot be computed. */
  readonly roi_multiple: number | null
  /** Campaign cost per reply, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_reply: number | null
  /** Campaign cost per meeting, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_meeting: number | null
  /** Campaign cost per client, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_client: number | null
  /** By the exact ROI: weak below 1, break_even_or_unclear below 3, healthy below 10, strong from 10 up; break_even_or_unclear too when the ROI is unknown, or when it is 3 or more with small_sample or cost_looks_incomplete. By the ROI of the median if the expected replies are above their range. */
  readonly performance_grade: "strong" | "healthy" | "break_even_or_unclear" | "weak"
  /** Risks of the assumptions or the result; empty if there are none. */
  readonly risk_flags: ReadonlyArray<"low_reply_rate" | "optimistic_reply_rate" | "low_positive_reply_rate" | "optimistic_positive_reply_rate" | "low_meeting_booking_rate" | "optimistic_meeting_booking_rate" | "low_close_rate" | "optimistic_close_rate" | "high_volume" | "small_sample" | "high_bounce_rate" | "negative_roi" | "missing_deal_value" | "missing_campaign_cost" | "zero_campaign_cost" | "cost_looks_incomplete" | "rates_look_like_fractions">
  /** What to do, most valuable first: a few sentences, each with a number in it. */
  readonly recommendations: ReadonlyArray<string>
  /** The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change. */
  readonly model_version: string
  /** The range of the clients, and the chance to break even. */
  readonly outlook: MinimalOutlook
  /** The usage and the remaining credits of the key. */
  readonly usage: Usage
}

/** The counts of a completed campaign: whole numbers, none above the one before it. An unknown count may be left out. */
export interface PastCampaign {
  /** Your name for it, at most 100 characters. It does not affect the forecast. */
  readonly name?: string | null | undefined
  /** Emails that were sent. An integer from 1 to 100,000,000. */
  readonly emails_sent: number
  /** Emails delivered; for requests with delivery_rate. An integer from 0 to 100,000,000. */
  readonly delivered?: number | null | undefined
  /** Replies of people, without automatic ones. An integer from 0 to 100,000,000. */
  readonly replies?: number | null | undefined
  /** Positive replies among them. An integer from 0 to 100,000,000. */
  readonly positive_replies?: number | null | undefined
  /** Meetings booked. An integer from 0 to 100,000,000. */
  readonly meetings?: number | null | undefined
  /** Meetings held; for requests with show_rate. An integer from 0 to 100,000,000. */
  readonly meetings_held?: number | null | undefined
  /** Clients won. An integer from 0 to 100,000,000. */
  readonly clients?: number | null | undefined
}

/** How certain the forecast is: how much the results of such campaigns vary. */
export interface Outlook {
  /** The basis of the ranges: the strongest basis of any rate, history before published_spread and as_given. */
  readonly basis: "as_given" | "published_spread" | "history" | "so_far"
  /** The percentage of campaigns that the range from low to high covers at least. */
  readonly interval_percent: 80
  /** What the ranges assume about each rate. The delivery rate and the show rate are present only if the request has them. */
  readonly rates: RateOutlooks
  /** The number of people at a stage in such campaigns. */
  readonly replies: StageOutlook
  /** The number of people at a stage in such campaigns. */
  readonly positive_replies: StageOutlook
  /** The number of people at a stage in such campaigns. */
  readonly meetings: StageOutlook
  /** The number of people at a stage in such campaigns. */
  readonly clients: StageOutlook
  /** Revenue of low, median and high clients, to 2 decimals. Null when it cannot be computed. */
  readonly revenue: AmountRange | null
  /** The same revenue less campaign cost, to 2 decimals. Null when it cannot be computed. */
  readonly profit: AmountRange | null
  /** The same revenue over campaign cost, to 1 decimal. Null when it cannot be computed. */
  readonly roi_multiple: AmountRange | null
  /** Campaign cost per booked meeting, to 2 decimals. */
  readonly cost_per_meeting: MeetingCost
  /** The same per held meeting. Null without show_rate. */
  readonly cost_per_meeting_held: MeetingCost | null
  /** Chance that the campaign brings no client at all. From 0 to 1, to 4 decimals. A number from 0 to 1. */
  readonly chance_of_no_client: number
  /** The fewest clients whose deals cover the cost. Null if it cannot be computed, or if no number does. */
  readonly clients_to_break_even: number | null
  /** Chance that revenue covers the cost. From 0 to 1, to 4 decimals. Null without a deal value or a cost. */
  readonly chance_to_break_even: number | null
  /** The outlook if every rate were exactly as expected: the narrowest possible range. Null if no rate varies. */
  readonly chance_alone: ChanceAlone | null
}

/** How often past campaigns ended within the 80% ranges forecast for them from the others. */
export interface TrackRecord {
  /** Past campaigns with replies, each forecast from the others at this request's rates. */
  readonly campaigns: number
  /** The number of them that ended within their 80% range of replies. */
  readonly replies_within: number
  /** The number of them with all counts. */
  readonly clients_of: number
  /** The number of these that ended within their 80% range of clients. */
  readonly clients_within: number
  /** Each of the campaigns, in the order of the history. */
  readonly each: ReadonlyArray<RecordedCampaign>
}

/** For each input, the value at which the expected revenue covers the cost if all other inputs stay the same. Null if no value is enough, or if an input that it depends on is missing. The delivery rate and the show rate are present only if the request has them. */
export interface BreakEven {
  /** Fewest sufficient emails. Null if there is none. */
  readonly emails_sent: number | null
  /** Lowest sufficient delivery rate, in percent, rounded up. Null if there is none. */
  readonly delivery_rate?: number | null | undefined
  /** Lowest sufficient reply rate, in percent, rounded up. Null if there is none. */
  readonly reply_rate: number | null
  /** Lowest sufficient positive reply rate, in percent, rounded up. Null if there is none. */
  readonly positive_reply_rate: number | null
  /** Lowest sufficient meeting booking rate, in percent, rounded up. Null if there is none. */
  readonly meeting_booking_rate: number | null
  /** Lowest sufficient show rate, in percent, rounded up. Null if there is none. */
  readonly show_rate?: number | null | undefined
  /** Lowest sufficient close rate, in percent, rounded up. Null if there is none. */
  readonly close_rate: number | null
  /** Lowest sufficient deal value, to 2 decimals, rounded up. Null if there is none. */
  readonly average_deal_value: number | null
  /** Highest cost that is covered, to 2 decimals, rounded down. Null if there is none. */
  readonly campaign_cost: number | null
}

/** A test of some lists, after which all other emails go to the list with the most replies. */
export interface TestFirst {
  /** Number of lists, or of first emails, that are tested. */
  readonly lists: number
  /** Emails sent to each of them in the test. */
  readonly emails_each: number
  /** Expected replies of the whole campaign, if replies choose the list, to 4 decimals. */
  readonly replies: number
  /** The same divided by the expected replies without a test, to 4 decimals. */
  readonly factor: number
}

/** The usage and the remaining credits of the key. */
export interface Usage {
  /** The current month in UTC. */
  readonly month: string
  /** Successful forecasts of this key or sub-key in the month. */
  readonly requests: number
  /** Credits left on the key; they never expire. For a sub-key with a limit, those of them that it may still spend in the month. */
  readonly credits_remaining: number
  /** Credits that this sub-key may still spend in the month; only if it has a limit. */
  readonly sub_key_credits_remaining?: number | undefined
}

/** The goal of the campaign: exactly one aim, and optionally the chance of reaching it. */
export interface Goal {
  /** Minimum number of replies. A number above 0, at most 100,000,000. */
  readonly replies?: number | null | undefined
  /** Minimum number of booked meetings. A number above 0, at most 100,000,000. */
  readonly meetings?: number | null | undefined
  /** Minimum number of clients. A number above 0, at most 100,000,000. */
  readonly clients?: number | null | undefined
  /** Minimum revenue. A number above 0, at most 1,000,000,000,000. */
  readonly revenue?: number | null | undefined
  /** Minimum profit: revenue less campaign cost. A number above 0, at most 1,000,000,000,000. */
  readonly profit?: number | null | undefined
  /** Minimum revenue as a multiple of the campaign cost. A number above 0, at most 1,000,000,000. */
  readonly roi_multiple?: number | null | undefined
  /** The chance of reaching it. Without one, the goal is to reach it on average. A number from 0.5 to 0.999. */
  readonly chance?: number | null | undefined
}

/** The goal of the request. */
export interface GoalAnswerGoal {
  readonly replies?: number | undefined
  readonly meetings?: number | undefined
  readonly clients?: number | undefined
  readonly revenue?: number | undefined
  readonly profit?: number | undefined
  readonly roi_multiple?: number | undefined
  readonly chance?: number | undefined
}

/** The value that each input needs if it alone is changed; inputs that do not affect the goal are left out. */
export interface GoalAnswerNeeded {
  /** The value that an input would need if all others stay the same. */
  readonly emails_sent: NeededInput
  /** The value that a rate would need, and whether it is beyond what is published. */
  readonly delivery_rate?: NeededRate | undefined
  /** The value that a rate would need, and whether it is beyond what is published. */
  readonly reply_rate?: NeededRate | undefined
  /** The value that a rate would need, and whether it is beyond what is published. */
  readonly positive_reply_rate?: NeededRate | undefined
  /** The value that a rate would need, and whether it is beyond what is published. */
  readonly meeting_booking_rate?: NeededRate | undefined
  /** The value that a rate would need, and whether it is beyond what is published. */
  readonly show_rate?: NeededRate | undefined
  /** The value that a rate would need, and whether it is beyond what is published. */
  readonly close_rate?: NeededRate | undefined
  /** The value that an input would need if all others stay the same. */
  readonly average_deal_value?: NeededInput | undefined
  /** The value that an input would need if all others stay the same. */
  readonly campaign_cost?: NeededInput | undefined
}

/** The results so far: whole numbers, none greater than the one before it. */
export interface SoFar {
  /** Emails sent so far. An integer from 0 to 100,000,000. */
  readonly emails_sent: number
  /** Emails delivered; required with delivery_rate, and only then. An integer from 0 to 100,000,000. */
  readonly delivered?: number | null | undefined
  /** Replies of people, without automatic ones. An integer from 0 to 100,000,000. */
  readonly replies: number
  /** Positive replies among them. An integer from 0 to 100,000,000. */
  readonly positive_replies: number
  /** Meetings booked. An integer from 0 to 100,000,000. */
  readonly meetings: number
  /** Meetings held; required with show_rate, and only then. An integer from 0 to 100,000,000. */
  readonly meetings_held?: number | null | undefined
  /** Clients won. An integer from 0 to 100,000,000. */
  readonly clients: number
}

/** The part of each count that is undecided, 0 by default: at most those that have not reached the next count. All others count as decided. */
export interface OpenCounts {
  /** Emails that are too recent to have been answered. An integer from 0 to 100,000. */
  readonly emails?: number | null | undefined
  /** Replies that have not been read yet. An integer from 0 to 100,000. */
  readonly replies?: number | null | undefined
  /** Positive replies without an answer about a meeting. An integer from 0 to 100,000. */
  readonly positive_replies?: number | null | undefined
  /** Meetings without a decision; with show_rate, those that have yet to take place. An integer from 0 to 100,000. */
  readonly meetings?: number | null | undefined
  /** Held meetings without a decision; only with show_rate. An integer from 0 to 100,000. */
  readonly meetings_held?: number | null | undefined
}

/** The end of the campaign if all remaining emails are sent. */
export interface ProgressAnswerEnd {
  /** The number of people at a stage when the campaign is over. */
  readonly replies: StageEnd
  /** The number of people at a stage when the campaign is over. */
  readonly positive_replies: StageEnd
  /** The number of people at a stage when the campaign is over. */
  readonly meetings: StageEnd
  /** The number of people at a stage when the campaign is over. */
  readonly clients: StageEnd
  /** Revenue of low, median and high clients, to 2 decimals. Null when it cannot be computed. */
  readonly revenue: AmountRange | null
  /** The same revenue over campaign cost, to 1 decimal. Null when it cannot be computed. */
  readonly roi_multiple: AmountRange | null
  /** Chance that the campaign brings no client at all. From 0 to 1, to 4 decimals. A number from 0 to 1. */
  readonly chance_of_no_client: number
  /** Chance that revenue covers the cost. From 0 to 1, to 4 decimals. Null without a deal value or a cost. */
  readonly chance_to_break_even: number | null
}

/** The planned clients, and the chance of still reaching them. */
export interface ProgressAnswerPlan {
  /** The expected clients of the plan, rounded up. */
  readonly clients: number
  /** Chance that the campaign ends with as many or more. From 0 to 1, to 4 decimals. A number from 0 to 1. */
  readonly chance_of_at_least: number
}

/** The end of the campaign without another email. */
export interface ProgressAnswerIfYouStopNow {
  /** Clients at the end if no further email is sent: those already won, and those from open cases. */
  readonly clients: ProgressAnswerIfYouStopNowClients
  /** Chance of at least one more client. From 0 to 1, to 4 decimals. A number from 0 to 1. */
  readonly chance_of_another_client: number
}

/** Clients at the end if this many further emails are sent. */
export interface IfYouSend {
  /** Further emails. */
  readonly emails: number
  /** Expected number, to 4 decimals. */
  readonly expected: number
  /** The 10% quantile: at most 10 of 100 such campaigns have fewer. */
  readonly low: number
  /** The 90% quantile: at most 10 of 100 such campaigns have more. */
  readonly high: number
}

/** Each rate of the plan, compared with what was observed. */
export interface ProgressAnswerAgainstThePlan {
  /** An observed rate, and whether its deviation may be bad luck. */
  readonly delivery_rate?: RateAgainstPlan | undefined
  /** An observed rate, and whether its deviation may be bad luck. */
  readonly reply_rate: RateAgainstPlan
  /** An observed rate, and whether its deviation may be bad luck. */
  readonly positive_reply_rate: RateAgainstPlan
  /** An observed rate, and whether its deviation may be bad luck. */
  readonly meeting_booking_rate: RateAgainstPlan
  /** An observed rate, and whether its deviation may be bad luck. */
  readonly show_rate?: RateAgainstPlan | undefined
  /** An observed rate, and whether its deviation may be bad luck. */
  readonly close_rate: RateAgainstPlan
}

/** What the ranges assume about each rate. The delivery rate and the show rate are present only if the request has them. */
export interface RateOutlooks {
  /** The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high. */
  readonly delivery_rate?: RateOutlook | undefined
  /** The uncertainty of the reply rate, and how ambitious it is. */
  readonly reply_rate: ReplyRateOutlook
  /** The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high. */
  readonly positive_reply_rate: RateOutlook
  /** The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high. */
  readonly meeting_booking_rate: RateOutlook
  /** The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high. */
  readonly show_rate?: RateOutlook | undefined
  /** The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high. */
  readonly close_rate: RateOutlook
}

/** The assumptions of a campaign, as POST /api/v1/forecast takes them, and a name. */
export interface Campaign {
  /** The name of the campaign in the answer, 1 to 200 characters. No two campaigns may have the same name. */
  readonly name?: string | null | undefined
  /** Number of emails sent. An integer from 1 to 100,000,000. */
  readonly emails_sent: number
  /** Percentage of emails that a person replies to, without automatic replies such as out of office; of delivered emails where delivery_rate is given. 5 means 5 percent. A number from 0 to 100. */
  readonly reply_rate: number
  /** Percentage of replies that are positive. 5 means 5 percent. A number from 0 to 100. */
  readonly positive_reply_rate: number
  /** Percentage of positive replies that become booked meetings. 5 means 5 percent. A number from 0 to 100. */
  readonly meeting_booking_rate: number
  /** Percentage of booked meetings that become clients; of held ones where show_rate is given. 5 means 5 percent. A number from 0 to 100. */
  readonly close_rate: number
  /** Revenue per client, in your currency. A number from 0 to 1,000,000,000. */
  readonly average_deal_value?: number | null | undefined
  /** Total cost of the campaign, in the same currency. A number from 0 to 1,000,000,000. */
  readonly campaign_cost?: number | null | undefined
  /** Percentage of emails that are delivered: 100 minus the bounce rate. 5 means 5 percent. A number from 0 to 100. */
  readonly delivery_rate?: number | null | undefined
  /** Percentage of booked meetings that are held. 5 means 5 percent. A number from 0 to 100. */
  readonly show_rate?: number | null | undefined
  /** How many of the emails go to one contact, follow-ups included. Makes the reply rate comparable, and bounds it: it is at most 100 divided by this. An integer from 1 to 20. */
  readonly emails_per_contact?: number | null | undefined
  /** How much rates vary between campaigns. published, the default: the reply rate varies around its value as in 556 published campaigns. none: every rate is exactly as given. Rates learned from history vary in either case. */
  readonly spread?: "published" | "none" | null | undefined
}

/** The forecast of one campaign: its name, and the response of POST /api/v1/forecast without the usage. */
export interface CampaignForecast {
  /** The campaign's name in the request; null if it has none. */
  readonly name: string | null
  /** Forecast replies, to 4 decimals. */
  readonly estimated_replies: number
  /** Forecast positive replies, to 4 decimals. */
  readonly estimated_positive_replies: number
  /** Forecast booked meetings, to 4 decimals. */
  readonly estimated_meetings: number
  /** Forecast clients, to 4 decimals; may be fractional. */
  readonly estimated_clients: number
  /** Forecast revenue, to 2 decimals. Null when it cannot be computed. */
  readonly estimated_revenue: number | null
  /** Revenue over campaign cost, to 1 decimal. Null when it cannot be computed. */
  readonly roi_multiple: number | null
  /** Campaign cost per reply, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_reply: number | null
  /** Campaign cost per meeting, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_meeting: number | null
  /** Campaign cost per client, to 2 decimals. Null when it cannot be computed. */
  readonly cost_per_client: number | null
  /** Forecast revenue less campaign cost, to 2 decimals. Null when it cannot be computed. */
  readonly estimated_profit: number | null
  /** Profit as a percentage of campaign cost, to 1 decimal. Null when it cannot be computed. */
  readonly roi_percent: number | null
  /** Forecast delivered emails, to 4 decimals, where delivery_rate is given. Null when it cannot be computed. */
  readonly estimated_delivered: number | null
  /** Forecast held meetings, to 4 decimals, where show_rate is given. Null when it cannot be computed. */
  readonly estimated_meetings_held: number | null
  /** How certain the forecast is: how much the results of such campaigns vary. */
  readonly outlook: Outlook
  /** For each input, the value at which the expected revenue covers the cost if all other inputs stay the same. Null if no value is enough, or if an input that it depends on is missing. The delivery rate and the show rate are present only if the request has them. */
  readonly break_even: BreakEven
  /** By the exact ROI: weak below 1, break_even_or_unclear below 3, healthy below 10, strong from 10 up; break_even_or_unclear too when the ROI is unknown, or when it is 3 or more with small_sample or cost_looks_incomplete. By the ROI of the median if the expected replies are above their range. */
  readonly performance_grade: "strong" | "healthy" | "break_even_or_unclear" | "weak"
  /** Risks of the assumptions or the result; empty if there are none. */
  readonly risk_flags: ReadonlyArray<"low_reply_rate" | "optimistic_reply_rate" | "low_positive_reply_rate" | "optimistic_positive_reply_rate" | "low_meeting_booking_rate" | "optimistic_meeting_booking_rate" | "low_close_rate" | "optimistic_close_rate" | "high_volume" | "small_sample" | "high_bounce_rate" | "negative_roi" | "missing_deal_value" | "missing_campaign_cost" | "zero_campaign_cost" | "cost_looks_incomplete" | "rates_look_like_fractions">
  /** What to do, most valuable first: a few sentences, each with a number in it. */
  readonly recommendations: ReadonlyArray<string>
  /** How each figure was computed from this request, why a figure is null, and the limits of a forecast. */
  readonly calculation_notes: ReadonlyArray<string>
  /** The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change. */
  readonly model_version: string
}

/** The total of the campaigns: of one sender, if the request does not say that they are independent. */
export interface PortfolioTotals {
  /** One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded. */
  readonly summary: string
  /** Number of campaigns. */
  readonly campaigns: number
  /** Total emails. */
  readonly emails_sent: number
  /** Total forecast replies, to 4 decimals. */
  readonly estimated_replies: number
  /** Total forecast positive replies, to 4 decimals. */
  readonly estimated_positive_replies: number
  /** Total forecast booked meetings, to 4 decimals. */
  readonly estimated_meetings: number
  /** Total forecast clients, to 4 decimals. */
  readonly estimated_clients: number
  /** Total forecast revenue, to 2 decimals. Null when it cannot be computed. */
  readonly estimated_revenue: number | null
  /** Total cost, to 2 decimals. Null when it cannot be computed. */
  readonly campaign_cost: number | null
  /** Total revenue less total cost, to 2 decimals. Null when it cannot be computed. */
  readonly estimated_profit: number | null
  /** Total revenue over total cost, to 1 decimal. Null when it cannot be computed. */
  readonly roi_multiple: number | null
  /** The range of the clients of all campaigns together. Only for up to 250 campaigns, otherwise null. Unless they are independent, the level of their rates is the same for all, as far as it is unknown. */
  readonly clients: StageOutlook | null
  /** Total revenue less total cost at low, median and high clients, to 2 decimals; only for up to 250 campaigns with the same deal value. Null when it cannot be computed. */
  readonly profit: AmountRange | null
  /** Chance that none of them brings a client, to 4 decimals. */
  readonly chance_of_no_client: number
  /** Chance that the total revenue covers the total cost, to 4 decimals; only for up to 20 campaigns with the same deal value. Null when it cannot be computed. */
  readonly chance_to_break_even: number | null
}

/** The campaigns by expected result, best first, and how certain each rank is. */
export interface Ranking {
  /** profit if every campaign has a deal value and a cost, otherwise clients. */
  readonly by: "profit" | "clients"
  /** Names, or positions in the request counted from 0, best first; ties keep the order of the request. */
  readonly order: ReadonlyArray<string | number>
  /** How certain each rank is: each campaign compared with the next. Unless they are independent, the level of their rates is the same for both, as far as it is unknown. */
  readonly neighbours: ReadonlyArray<RankingNeighbour>
}

/** A published figure or range. */
export interface Benchmark {
  /** Number of the row; figures published together have the same number. */
  readonly row: number
  /** What is counted or measured. */
  readonly measure: string
  /** Percentile, tier or circumstance. */
  readonly tier: string
  /** The figure. Null for a range. */
  readonly value: number | null
  /** The ends of a range. Null for a single figure. */
  readonly range: BenchmarkRange | null
  /** The unit of the figure. */
  readonly unit: "%" | "USD" | "emails"
  /** The denominator: what the figure is counted per. Null if the publisher does not say. */
  readonly per: string | null
  /** Publisher. */
  readonly publisher: string
  /** Year or years of publication. Null if there is none. */
  readonly year: string | null
  /** The sample that it was measured on. Null if unknown. */
  readonly sample: string | null
  /** Address of the publication. Null if only a quotation or the publisher's name is available. */
  readonly url: string | null
  /** The licence of the figure, which asks you to name the publisher and the licence and to link to both. Null if the publisher names none. */
  readonly license: string | null
  /** primary: seen on the publisher's own page; quoted: seen only where another source quotes it. */
  readonly seen: "primary" | "quoted"
}

/** A number beyond which a risk flag is raised. */
export interface BenchmarkThreshold {
  /** The risk flag that is raised. */
  readonly flag: "low_reply_rate" | "optimistic_reply_rate" | "low_positive_reply_rate" | "optimistic_positive_reply_rate" | "low_meeting_booking_rate" | "optimistic_meeting_booking_rate" | "low_close_rate" | "optimistic_close_rate" | "high_volume" | "small_sample" | "high_bounce_rate" | "negative_roi" | "missing_deal_value" | "missing_campaign_cost" | "zero_campaign_cost" | "cost_looks_incomplete" | "rates_look_like_fractions"
  /** Which side of the value raises the flag. */
  readonly raised: "below" | "above"
  /** The figure of a forecast that it is compared with. */
  readonly of: string
  /** The number. */
  readonly value: number
  /** The unit of the figure. */
  readonly unit: "%" | "USD" | "emails"
  /** The denominator: what the figure is counted per. Null if the publisher does not say. */
  readonly per: string | null
  /** The kind of number, or the reason for it. */
  readonly because: string
  /** Publisher and year of its basis. Null if it is this service's own. */
  readonly from: string | null
  /** The rows that it is based on; empty if it is this service's own. */
  readonly rows: ReadonlyArray<number>
}

/** A number that recommendations compare with. */
export interface BenchmarkReference {
  /** The figure of a forecast that it is compared with. */
  readonly of: string
  /** The number. */
  readonly value: number
  /** The unit of the figure. */
  readonly unit: "%" | "USD" | "emails"
  /** The denominator: what the figure is counted per. Null if the publisher does not say. */
  readonly per: string | null
  /** The kind of number, or the reason for it. */
  readonly because: string
  /** Publisher and year of its basis. Null if it is this service's own. */
  readonly from: string | null
  /** The rows that it is based on; empty if it is this service's own. */
  readonly rows: ReadonlyArray<number>
}

/** The type of requests_by_month in KeyUsage. */
export interface KeyUsageRequestsByMonth {
  /** A month in UTC. */
  readonly month: string
  /** Successful forecasts in it. */
  readonly requests: number
}

/** The type of rows in UsageTable. */
export interface UsageRow {
  /** The day in UTC; only with by=day. */
  readonly day?: string | undefined
  /** The sub-key; null for the key itself. */
  readonly sub_key_id: string | null
  /** The name of the sub-key, or its ID 90 days after it was revoked; null for the key itself. */
  readonly name: string | null
  /** Successful forecasts. */
  readonly requests: number
}

/** The type of entries in LedgerPage. */
export interface LedgerEntry {
  /** The reason for the change. */
  readonly kind: "preview_grant" | "forecast" | "credit_pack" | "adjustment"
  /** The change in credits. */
  readonly delta: number
  /** The balance after it. */
  readonly balance_after: number
  /** A unique reference of the change. */
  readonly reference: string
  /** The name of the sub-key that requested the forecast, or its ID 90 days after it was revoked; null if none did. */
  readonly sub_key: string | null
  /** The time of the change, in UTC. */
  readonly created_at: string
}

/** The type of packs in CreditPacks. */
export interface CreditPack {
  /** The ID to order it with. */
  readonly id: string
  /** Forecast credits in the pack. */
  readonly credits: number
  /** Price in major units of the currency. */
  readonly price: number
  /** ISO 4217 code. */
  readonly currency: string
}

/** The range of the clients, and the chance to break even. */
export interface MinimalOutlook {
  /** The number of people at a stage in such campaigns. */
  readonly clients: StageOutlook
  /** Chance that revenue covers the cost. From 0 to 1, to 4 decimals. Null without a deal value or a cost. */
  readonly chance_to_break_even: number | null
}

/** The number of people at a stage in such campaigns. */
export interface StageOutlook {
  /** Expected number, to 4 decimals. */
  readonly expected: number
  /** The 10% quantile: at most 10 of 100 such campaigns have fewer. */
  readonly low: number
  /** The 50% quantile: the number in the middle. */
  readonly median: number
  /** The 90% quantile: at most 10 of 100 such campaigns have more. */
  readonly high: number
  /** Chance of low to high. Counts are whole numbers, so it is at least 0.8, and often more. From 0 to 1, to 4 decimals. A number from 0 to 1. */
  readonly chance_within: number
}

/** An amount at the low, median and high number of clients. */
export interface AmountRange {
  /** At the low number of clients. */
  readonly low: number
  /** At the median. */
  readonly median: number
  /** At the high number. */
  readonly high: number
}

/** Campaign cost per booked meeting, to 2 decimals. */
export interface MeetingCost {
  /** At the high number of meetings. Null without a cost or a meeting. */
  readonly low: number | null
  /** At the median. Null without a cost or a meeting. */
  readonly median: number | null
  /** At the low number: this price per meeting covers the cost in 90 of 100. Null without a cost or a meeting. */
  readonly high: number | null
}

/** The outlook if every rate were exactly as expected: the narrowest possible range. */
export interface ChanceAlone {
  readonly clients: ChanceAloneClients
  /** Chance of no client. From 0 to 1, to 4 decimals. A number from 0 to 1. */
  readonly chance_of_no_client: number
  /** Chance that revenue covers the cost. From 0 to 1, to 4 decimals. Null without a deal value or a cost. */
  readonly chance_to_break_even: number | null
}

/** The ranges forecast for a past campaign from the others, and what came. */
export interface RecordedCampaign {
  /** The campaign's name in the history; null if it has none. */
  readonly name: string | null
  /** The 80% range forecast for a past campaign from the others, and its result. */
  readonly replies: ForecastCount
  /** Null unless the campaign has all counts. */
  readonly clients: ForecastCount | null
}

/** The value that an input would need if all others stay the same. */
export interface NeededInput {
  /** The current value of the input. Null if it is missing. */
  readonly current: number | null
  /** The value that it needs. Null if no value within its bounds is enough. */
  readonly needed: number | null
  /** needed ÷ current, to 4 decimals. Null if either is null, or current is 0. */
  readonly factor: number | null
}

/** The value that a rate would need, and whether it is beyond what is published. */
export interface NeededRate {
  /** The current value of the input. Null if it is missing. */
  readonly current: number | null
  /** The value that it needs. Null if no value within its bounds is enough. */
  readonly needed: number | null
  /** needed ÷ current, to 4 decimals. Null if either is null, or current is 0. */
  readonly factor: number | null
  /** True if the needed rate is above the bound of its optimistic flag, or if no rate is enough. Null for a rate without such a bound. */
  readonly beyond_published: boolean | null
}

/** The number of people at a stage when the campaign is over. */
export interface StageEnd {
  /** The number so far. */
  readonly so_far: number
  /** Expected number, to 4 decimals. */
  readonly expected: number
  /** The 10% quantile: at most 10 of 100 such campaigns have fewer. */
  readonly low: number
  /** The 50% quantile: the number in the middle. */
  readonly median: number
  /** The 90% quantile: at most 10 of 100 such campaigns have more. */
  readonly high: number
  /** Chance of low to high. Counts are whole numbers, so it is at least 0.8, and often more. From 0 to 1, to 4 decimals. A number from 0 to 1. */
  readonly chance_within: number
}

/** Clients at the end if no further email is sent: those already won, and those from open cases. */
export interface ProgressAnswerIfYouStopNowClients {
  /** Expected number, to 4 decimals. */
  readonly expected: number
  /** The 10% quantile: at most 10 of 100 such campaigns have fewer. */
  readonly low: number
  /** The 50% quantile: the number in the middle. */
  readonly median: number
  /** The 90% quantile: at most 10 of 100 such campaigns have more. */
  readonly high: number
}

/** An observed rate, and whether its deviation may be bad luck. */
export interface RateAgainstPlan {
  /** The rate of the plan. In percent. */
  readonly planned: number
  /** The decided cases that passed, in percent, to 4 decimals. Null if nothing is decided. */
  readonly observed: number | null
  /** If the planned rate were exact, the chance of this result or one further from the plan; 1 if the plan is met. From 0 to 1, to 4 decimals. Null if nothing is decided. */
  readonly chance_by_chance_alone: number | null
  /** The same, given how rates vary between campaigns, as published or in your history. From 0 to 1, to 4 decimals. Null too if that is unknown. */
  readonly chance_as_campaigns_vary: number | null
  /** below or above if a result this far from the plan is seen in fewer than 10 of 100 campaigns as they vary or, where the variation is unknown, in fewer than 1 of 100 by chance alone. Null if nothing is decided. */
  readonly verdict: "below" | "above" | "as_planned" | null
}

/** The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high. */
export interface RateOutlook {
  /** as_given: exactly the rate of the request. published_spread: it varies around that rate as published. history: learned from past campaigns. so_far, in POST /api/v1/progress: the results of this campaign count too. */
  readonly basis: "as_given" | "published_spread" | "history" | "so_far"
  /** The average, to 4 decimals. In percent. */
  readonly expected: number
  /** The 10% quantile, to 2 decimals. In percent. */
  readonly low: number
  /** The 90% quantile, to 2 decimals. In percent. */
  readonly high: number
}

/** The uncertainty of the reply rate, and how ambitious it is. */
export interface ReplyRateOutlook {
  /** as_given: exactly the rate of the request. published_spread: it varies around that rate as published. history: learned from past campaigns. so_far, in POST /api/v1/progress: the results of this campaign count too. */
  readonly basis: "as_given" | "published_spread" | "history" | "so_far"
  /** The average, to 4 decimals. In percent. */
  readonly expected: number
  /** The 10% quantile, to 2 decimals. In percent. */
  readonly low: number
  /** The 90% quantile, to 2 decimals. In percent. */
  readonly high: number
  /** How many of 100 published campaigns get fewer replies per email sent: 50 is usual, above 90 is rare (556 campaigns of 500 emails or more; Clientium, CC BY 4.0). An integer from 1 to 99. */
  readonly published_percentile: number
}

/** The type of neighbours in Ranking. */
export interface RankingNeighbour {
  readonly first: string | number
  readonly second: string | number
  /** Chance that the first ends better than the second, to 4 decimals. */
  readonly chance_first_is_better: number
  /** Chance that both end the same, to 4 decimals. */
  readonly chance_equal: number
}

/** The type of range in Benchmark. */
export interface BenchmarkRange {
  readonly low: number
  readonly high: number
}

/** The type of clients in ChanceAlone. */
export interface ChanceAloneClients {
  /** The 10% quantile. */
  readonly low: number
  /** The 50% quantile. */
  readonly median: number
  /** The 90% quantile. */
  readonly high: number
}

/** The 80% range forecast for a past campaign from the others, and its result. */
export interface ForecastCount {
  /** The 10% quantile of the forecast. */
  readonly low: number
  /** The 90% quantile of the forecast. */
  readonly high: number
  /** The result of the campaign. */
  readonly observed: number
}
