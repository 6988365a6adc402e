import { type Attack } from "./Attack.ts"
import * as Connections from "./connections.ts"
import * as Costs from "./costs.ts"
import * as Crowds from "./crowds.ts"
import * as Faults from "./faults.ts"
import * as Lists from "./lists.ts"
import * as Memory from "./memory.ts"
import * as Outages from "./outages.ts"
import * as People from "./people.ts"
import * as Races from "./races.ts"
import * as Secrets from "./secrets.ts"
import * as Times from "./times.ts"

/** Attacks that take a few seconds in total, one after another, on one server. */
export const quickAttacks: ReadonlyArray<Attack> = [
  Connections.resets,
  Connections.slowReaders,
  Connections.refusedConnections,
  Connections.probing,
  Costs.manyFields,
  Costs.manyDigits,
  Costs.rotations,
  Costs.oldSecrets,
  Costs.orders,
  Costs.subKeyLimit,
  Costs.freeChanges,
  Costs.revokedSubKeys,
  People.hiddenMetrics,
  People.strangersText,
  People.manySpellings,
  People.internationalSpellings,
  People.noAddress,
  People.pendingName,
  People.pages,
  People.forgedHost,
  People.readableFiles,
  // Last, because afterwards the client may not try another key.
  Crowds.wrongKeys
]

/** Attacks that take long, or leave the server damaged: each needs a server of its own. */
export const longAttacks: ReadonlyArray<Attack> = [
  Connections.heldConnections,
  Connections.pipelining,
  Connections.mistypedCrowd,
  Crowds.goodKeys,
  Crowds.revokedKey,
  Costs.forgedAddresses,
  Crowds.costOfRefusals,
  Crowds.refusedAccess,
  Crowds.refusedForms,
  Crowds.invalidCalculations,
  Crowds.unknownTokens,
  Crowds.tricklingBodies,
  Secrets.terminal,
  Secrets.smtpPassword,
  Secrets.transportSecurity,
  Faults.secondStart,
  Faults.fullDisk,
  Faults.damagedFile,
  Faults.newerTables,
  Faults.readOnlyFile,
  Faults.lockedFile,
  Faults.deletedFile,
  Lists.turns,
  Lists.allPlaces,
  Lists.unpaidLists,
  Lists.unpaidGoals,
  Lists.abandonedLists,
  Lists.strangersMessages,
  Lists.longBodies,
  Faults.replacedFile,
  Outages.silentRelay,
  Outages.silentConnections,
  Outages.silentNames,
  Outages.lockedTable,
  Outages.exhaustedPool,
  Outages.futureSignature,
  Races.orderRaces,
  Races.revokedDuringList,
  Memory.mixedLoad,
  Times.clockAhead,
  Times.clockBack,
  Times.clockOnPostgres,
  Times.lifetimes
]
