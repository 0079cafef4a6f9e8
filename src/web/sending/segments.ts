import { say, sayCount } from '../../language/say.ts'
import { segmentsOf } from '../../outbox/segments.ts'

const MAX_NAMED = 8

/** Says how many texts a text counts as, and which characters make it more than it would be without them. */
export function segmentsSaid(text: string): string {
  const { count, costly } = segmentsOf(text)
  const counts = sayCount(count, 'Counts as one text.', 'Counts as {0} texts.')
  if (costly.length === 0) return counts
  return `${counts} ${say`It would be fewer without: ${costly.slice(0, MAX_NAMED).join(' ')}`}`
}

/** Returns an address as long as that of a customer's link, which is made only when a message goes. */
export const linkSized = (baseUrl: string): string => `${baseUrl}/c/${'x'.repeat(22)}`
