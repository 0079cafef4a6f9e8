// @ts-check
// Follows the end of a conversation, until its reader scrolls up.

/** Returns what scrolls a conversation: the panel does itself, its own page as a whole. @param {Element} root */
const scrollerOf = (root) =>
  root.localName === 'aside' ? (root.querySelector('#talk') ?? root) : document.documentElement

/** Checks whether the reader follows the end, and didn't scroll up to read. @param {Element} root */
export function isAtEnd(root) {
  const { scrollHeight, scrollTop, clientHeight } = scrollerOf(root)
  return scrollHeight - scrollTop - clientHeight < 120
}

/** Shows the end of a conversation. @param {Element} root */
export function showEnd(root) {
  const scroller = scrollerOf(root)
  scroller.scrollTop = scroller.scrollHeight
}
