import { pythonEnvironment } from "../../scripts/python/environment.mjs"

/** The Python with the client's dependencies, or the reason why there is none. */
export const { obstacle: pythonObstacle, python } = pythonEnvironment()
