// @ts-check
// Follows the end of a conversation, until its reader scrolls up: the panel scrolls by itself, its own page as a whole.

/** Distance from the end at which somebody still reads along, in pixels. */
const NEAR = 120

/** Checks whether the reader follows the end, and didn't scroll up to read. @param {Element} root */
export function isAtEnd(root) {
  const talk = root.querySelector('#talk') ?? root
  if (root.localName !== 'aside') return talk.getBoundingClientRect().bottom < innerHeight + NEAR
  return talk.scrollHeight - talk.scrollTop - talk.clientHeight < NEAR
}

/** Shows the end of a conversation. @param {Element} root */
export function showEnd(root) {
  const talk = root.querySelector('#talk') ?? root
  if (root.localName === 'aside') talk.scrollTop = talk.scrollHeight
  else root.scrollIntoView({ block: 'end' })
}
