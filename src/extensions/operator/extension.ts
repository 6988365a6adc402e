import type { CommandDatabase } from "../../cli/CommandDatabase.ts"
import type { Extension } from "../../Extension.ts"
import { copyCommand } from "./CopyCommand.ts"
import { type DoctorServices, doctorCommand } from "./DoctorCommand.ts"
import { NearAddresses } from "./NearAddresses.ts"
import { whyCommand, type WhyServices } from "./WhyCommand.ts"

/** Commands that examine an installation, or move it: `doctor`, `why` and `database copy`. */
export const operator = {
  services: NearAddresses.layer,
  commands: (database: CommandDatabase<DoctorServices | WhyServices>) => ({
    top: [doctorCommand(database), whyCommand(database)],
    database: [copyCommand]
  })
} as const satisfies Extension
