import type { Effect, Layer, Redacted } from "effect"
import type { Command } from "effect/cli"
import type { HttpApiGroup } from "effect/http-api"
import type { CommandDatabase } from "./cli/CommandDatabase.ts"
import type { Expiring } from "./database/Statements.ts"
import type { PaidOperation } from "./metering/Operations.ts"
import type { Payments } from "./orders/payments/Payments.ts"
import type { Settings } from "./Settings.ts"
import type { SiteLink } from "./site/SiteLinks.ts"

/** A layer of any services. */
type AnyLayer = Layer.Layer<never, unknown, unknown>

/**
 * The additions of an extension to the service: a plain object with the members that it has. Each is merged where the
 * service puts its own together. An extension changes nothing that is there without it.
 */
export interface Extension {
  /** Operations with one answer for one credit. */
  readonly operations?: ReadonlyArray<PaidOperation>
  /** Groups of endpoints, each in the document behind the service's own group with the identifier `after`. */
  readonly groups?: ReadonlyArray<{ readonly after: string; readonly group: HttpApiGroup.Constraint }>
  /** Routes whose failures are answered with problem documents. */
  readonly routes?: AnyLayer
  /** Routes whose failures are answered with pages. */
  readonly pages?: AnyLayer
  /** Middleware of every page. */
  readonly aroundPages?: AnyLayer
  /** True if one of its pages is `/`, which otherwise leads to `/access`. */
  readonly hasHome?: true
  /** Links that many pages show. */
  readonly links?: ReadonlyArray<SiteLink>
  /** Services over the SQL client and stores. */
  readonly services?: AnyLayer
  /** The payments of a provider; the operator's instructions if it is not configured. */
  readonly payments?: Layer.Layer<Payments, never, Settings>
  /** Background work of a running service. */
  readonly background?: AnyLayer
  /** The paths that links in emails lead to, by the kind of the link. */
  readonly mailLinks?: Effect.Effect<
    Readonly<Record<string, (id: string) => Effect.Effect<Redacted.Redacted>>>,
    never,
    unknown
  >
  /** Its commands: subcommands of `keys` and `database`, and those beside them. */
  readonly commands?: (database: CommandDatabase<unknown>) => {
    readonly [place in "keys" | "database" | "top"]?: ReadonlyArray<Command.Command.Any>
  }
  /** Rows that are deleted once they have expired, by their name in the log. */
  readonly expiring?: Readonly<Record<string, Expiring>>
}

/** The members with this name of the extensions that have it, in their order. */
export const added = <One extends object, Name extends string>(
  extensions: ReadonlyArray<One>,
  name: Name
): ReadonlyArray<Extract<One, Readonly<Record<Name, unknown>>>[Name]> =>
  extensions
    .filter((extension): extension is Extract<One, Readonly<Record<Name, unknown>>> => name in extension)
    .map((extension) => extension[name])

type Group = HttpApiGroup.Constraint

/**
 * The groups in the order of the document: those that are added behind the group that they name, in their order. The
 * compiler reports a name that no group of the service has.
 */
export const inDocumentOrder = <
  Own extends readonly [Group, ...ReadonlyArray<Group>],
  Placed extends { readonly after: Own[number]["identifier"]; readonly group: Group }
>(
  [first, ...others]: Own,
  placed: ReadonlyArray<Placed>
): readonly [Own[number] | Placed["group"], ...ReadonlyArray<Own[number] | Placed["group"]>] => {
  const behind = ({ identifier }: Group) => placed.flatMap(({ after, group }) => (after === identifier ? [group] : []))
  return [first, ...behind(first), ...others.flatMap((group) => [group, ...behind(group)])]
}
