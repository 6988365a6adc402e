import type { CommandDatabase } from "../../cli/CommandDatabase.ts"
import type { Extension } from "../../Extension.ts"
import { copyCommand } from "../../operation/CopyCommand.ts"
import { type DoctorServices, doctorCommand } from "../../operation/DoctorCommand.ts"
import { whyCommand, type WhyServices } from "../../operation/WhyCommand.ts"

/** Commands that examine an installation, or move it: `doctor`, `why` and `database copy`. */
export const operator = {
  commands: (database: CommandDatabase<DoctorServices | WhyServices>) => ({
    top: [doctorCommand(database), whyCommand(database)],
    database: [copyCommand]
  })
} as const satisfies Extension
