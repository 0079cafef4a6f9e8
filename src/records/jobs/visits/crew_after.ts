/** Names the lane of the schedule with what nobody is assigned to; any other lane has its technician's id. */
export const NOBODY = 'nobody'

/**
 * Returns the crew after a visit went from one lane to another: only the lane's technician is replaced. From the list
 * of unscheduled jobs (`from` null), a crew of one is replaced and a larger one is joined.
 */
export function crewAfter(crew: readonly string[], from: string | null, to: string): string[] {
  const joined = to === NOBODY ? [] : [to]
  if (from === null)
    return crew.includes(to) ? [...crew] : crew.length <= 1 || to === NOBODY ? joined : [...crew, ...joined]
  const others = (from === NOBODY ? [...crew, from] : crew).flatMap((id) => (id === from ? joined : [id]))
  return [...new Set(others)]
}
