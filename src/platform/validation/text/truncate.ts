/** Truncates a text to `most` characters and adds an ellipsis. */
export function truncate(text: string, most: number): string
export function truncate(text: string | null, most: number): string | null
export function truncate(text: string | null, most: number): string | null {
  if (text === null) return null
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`
}
