import { z } from 'zod'

/** Checks a list of objects inside another, at most `max` of them. */
export const objectList = <const Shape extends z.ZodRawShape>(shape: Shape, max = 20) =>
  z.array(z.strictObject(shape)).max(max).optional()
