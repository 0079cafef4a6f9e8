/** Truncates a text to `max` characters and adds an ellipsis. */
export function truncate(text: string, max: number): string
export function truncate(text: string | null, max: number): string | null
export function truncate(text: string | null, max: number): string | null {
  if (text === null) return null
  const characters = Array.from(text)
  return characters.length <= max ? text : `${characters.slice(0, max).join('')}…`
}
