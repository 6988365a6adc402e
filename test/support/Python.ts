import { pythonEnvironment } from "../../scripts/python/environment.mjs"

/** The Python that has what the client needs, and why there is none, if there is none. */
export const { obstacle: pythonObstacle, python } = pythonEnvironment()
