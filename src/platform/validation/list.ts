import { z } from 'zod'

/** Checks a list of objects inside another, at most `most` of them. */
export const objectList = <const Shape extends z.ZodRawShape>(shape: Shape, most = 20) =>
  z.array(z.strictObject(shape)).max(most).optional()
