import { Record, Struct } from "effect"
import { amountBounds, type NumberBounds, percentBounds } from "./NumberBounds.ts"

/** A number of a campaign, and its texts in the API, the form and the notes. */
export interface NumberField {
  readonly unit: "count" | "percent" | "money"
  /** Required; one of the usual inputs, which may be left out; or an optional refinement. */
  readonly presence: "required" | "usual" | "refinement"
  readonly bounds: NumberBounds
  /** The explanation in the API reference, and a value of the example request. */
  readonly description: string
  readonly example: number
  /** In the form: the label, the words after the number, and a number as people type it. */
  readonly form: { readonly label: string; readonly help: string; readonly example: string }
}

/** Undecided cases of a campaign in flight: an explanation, an example, and the words after the number in the form. */
export interface OpenCount {
  readonly description: string
  readonly example: number
  readonly help: string
}

/** A rate: the percentage of a stage of the funnel that reaches the next one. */
export interface RateField extends NumberField {
  readonly unit: "percent"
  /** The trials of the rate, as the page calls them. */
  readonly outOf: string
  /**
   * The word that calculation notes add to the count before this rate, or to this rate's own count when it is the one
   * before.
   */
  readonly noted?: { readonly before?: string; readonly after?: string }
  /** True if it is known at once who passes: its undecided cases are those of the rate after it. */
  readonly isKnownAtOnce?: true
  /** The advice if too few pass. */
  readonly remedy: string
  /** An example of the smallest rate that breaks even. */
  readonly breakEven: number
  /** The people or emails that pass. */
  readonly passed: {
    /** Their name in counts of campaigns, and in outlooks if the rate is required. */
    readonly name: string
    /** Other names that callers use for it, separated by spaces. */
    readonly synonyms: string
    readonly noun: readonly [one: string, many: string]
    readonly words: string
    /** The unit that published figures are per, if that is not the noun. */
    readonly unit?: string
    /** The word for those who pass, if they do not turn into something else. */
    readonly are?: string
    /** Headings in calculation notes and on the page. */
    readonly heading: string
    readonly pageHeading?: string
    /** The explanation of their number, and examples for a past campaign and for one in flight. */
    readonly description: string
    readonly examples: { readonly past: number; readonly soFar: number }
    /** Those of them whose next step is undecided, if there can be such cases. */
    readonly open?: OpenCount
  }
}

const amount = <const A extends Omit<NumberField, "unit" | "bounds">>(about: A) => ({
  unit: "money" as const,
  bounds: amountBounds,
  ...about
})

const rate = <const R extends Omit<RateField, "unit" | "bounds">>(about: R) => ({
  unit: "percent" as const,
  bounds: percentBounds,
  ...about
})

/** The numbers of a campaign; its rates are in the order of the funnel. */
export const fields = {
  emails_sent: {
    unit: "count",
    presence: "required",
    bounds: { minimum: 1, maximum: 100_000_000, isWhole: true },
    description: "Number of emails sent.",
    example: 5000,
    form: { label: "Emails sent", help: "follow-ups included", example: "5000" }
  },
  delivery_rate: rate({
    presence: "refinement",
    description: "Percentage of emails that are delivered: 100 minus the bounce rate.",
    example: 95,
    form: { label: "Delivery rate", help: "of emails that arrive; the reply rate is then of these", example: "95" },
    outOf: "emails",
    noted: { before: "sent", after: "delivered" },
    isKnownAtOnce: true,
    remedy: "clean the list and check the sending domain",
    breakEven: 90,
    passed: {
      name: "delivered",
      synonyms: "emails_delivered delivered_emails",
      noun: ["delivered email", "delivered emails"],
      words: "delivered emails",
      are: "delivered",
      heading: "Delivered",
      description: "Emails delivered",
      examples: { past: 3100, soFar: 1900 }
    }
  }),
  reply_rate: rate({
    presence: "required",
    description:
      "Percentage of emails that a person replies to, without automatic replies such as out of office; of delivered emails where delivery_rate is given.",
    example: 5,
    form: { label: "Reply rate", help: "of emails sent that a person answers", example: "2.5" },
    outOf: "emails",
    noted: { before: "sent" },
    remedy: "change the list or the first email",
    breakEven: 0.32,
    passed: {
      name: "replies",
      synonyms: "reply_count replied responses",
      noun: ["reply", "replies"],
      words: "replies",
      heading: "Replies",
      description: "Replies of people, without automatic ones",
      examples: { past: 61, soFar: 62 },
      open: { description: "Replies that have not been read yet.", example: 7, help: "that have not been read yet" }
    }
  }),
  positive_reply_rate: rate({
    presence: "required",
    description: "Percentage of replies that are positive.",
    example: 30,
    form: { label: "Positive reply rate", help: "of replies", example: "40" },
    outOf: "replies",
    remedy: "change the offer or its audience",
    breakEven: 1.92,
    passed: {
      name: "positive_replies",
      synonyms: "positive positives interested interested_replies",
      noun: ["positive reply", "positive replies"],
      words: "positive replies",
      are: "positive",
      heading: "Positive replies",
      description: "Positive replies among them",
      examples: { past: 19, soFar: 14 },
      open: {
        description: "Positive replies without an answer about a meeting.",
        example: 4,
        help: "without an answer about a meeting"
      }
    }
  }),
  meeting_booking_rate: rate({
    presence: "required",
    description: "Percentage of positive replies that become booked meetings.",
    example: 20,
    form: { label: "Meeting booking rate", help: "of positive replies", example: "45" },
    outOf: "positive replies",
    remedy: "change how positive replies are answered",
    breakEven: 1.28,
    passed: {
      name: "meetings",
      synonyms: "meetings_booked booked_meetings booked calls demos",
      noun: ["meeting", "meetings"],
      words: "booked meetings",
      unit: "booked meeting",
      heading: "Meetings",
      pageHeading: "Meetings booked",
      description: "Meetings booked",
      examples: { past: 5, soFar: 4 },
      open: {
        description: "Meetings without a decision; with show_rate, those that have yet to take place.",
        example: 2,
        help: "that have not taken place yet, or are undecided"
      }
    }
  }),
  show_rate: rate({
    presence: "refinement",
    description: "Percentage of booked meetings that are held.",
    example: 80,
    form: {
      label: "Show rate",
      help: "of booked meetings that are held; the close rate is then of these",
      example: "80"
    },
    outOf: "booked meetings",
    noted: { before: "booked", after: "held" },
    remedy: "change how meetings are confirmed",
    breakEven: 70,
    passed: {
      name: "meetings_held",
      synonyms: "held held_meetings meetings_attended shows",
      noun: ["held meeting", "held meetings"],
      words: "held meetings",
      are: "held",
      heading: "Meetings held",
      description: "Meetings held",
      examples: { past: 4, soFar: 3 },
      open: {
        description: "Held meetings without a decision; only with show_rate.",
        example: 1,
        help: "without a decision"
      }
    }
  }),
  close_rate: rate({
    presence: "required",
    description: "Percentage of booked meetings that become clients; of held ones where show_rate is given.",
    example: 25,
    form: { label: "Close rate", help: "of booked meetings", example: "15" },
    outOf: "meetings",
    remedy: "change who is invited to meetings or what is offered there",
    breakEven: 1.6,
    passed: {
      name: "clients",
      synonyms: "customers deals deals_won sales closed won",
      noun: ["client", "clients"],
      words: "clients",
      heading: "Clients",
      description: "Clients won",
      examples: { past: 1, soFar: 1 }
    }
  }),
  average_deal_value: amount({
    presence: "usual",
    description: "Revenue per client, in your currency.",
    example: 2500,
    form: { label: "Deal value", help: "revenue per client", example: "2500" }
  }),
  campaign_cost: amount({
    presence: "usual",
    description: "Total cost of the campaign, in the same currency.",
    example: 600,
    form: { label: "Campaign cost", help: "tools and hours", example: "600" }
  }),
  emails_per_contact: {
    unit: "count",
    presence: "refinement",
    bounds: { minimum: 1, maximum: 20, isWhole: true },
    description:
      "How many of the emails go to one contact, follow-ups included. Makes the reply rate comparable, and bounds it: it is at most 100 divided by this.",
    example: 3,
    form: { label: "Emails per contact", help: "follow-ups included", example: "3" }
  }
} as const satisfies { readonly [name: string]: NumberField | RateField }

type Fields = typeof fields
export type FieldName = keyof Fields

type Presence = NumberField["presence"]
type WithPresence<P extends Presence> = {
  [N in FieldName]: Fields[N]["presence"] extends P ? N : never
}[FieldName]

const withPresence = <P extends Presence>(presence: P): ReadonlyArray<WithPresence<P>> =>
  Struct.keys(fields).filter((name): name is WithPresence<P> => fields[name].presence === presence)

/** The numbers that every campaign must have. */
export const requiredNames = withPresence("required")
/** The usual inputs of a campaign, and its refinements. */
export const usualNames = [...requiredNames, ...withPresence("usual")] as const
export const refinements = withPresence("refinement")
export const optionalNames = [...withPresence("usual"), ...refinements] as const

/** All numbers in the order of the documentation. */
export const fieldNames = [...requiredNames, ...optionalNames] as const

/** An object with a member for each name, in the given order. */
export const membersOf = <Name extends string, A>(names: ReadonlyArray<Name>, of: (name: Name) => A) =>
  Record.map(Struct.Record(names, null), (_, name) => of(name))

/** The campaign that pages and reference show as their example, as a request has it. */
export const exampleRequest = membersOf(usualNames, (name): number => fields[name].example)
