// @ts-check
// Makes a part of a page like a fresh one without losing what the reader holds: focus, scrolling, a finger on a button.

/**
 * Makes an element like `fresh`. What is the same stays, with its focus and its scrolling; elements are identified by
 * their ids. What a script draws by itself (`data-own`) stays too.
 * @param {Element} old
 * @param {Element} fresh
 */
export function patch(old, fresh) {
  if (old.isEqualNode(fresh) || old.hasAttribute('data-own')) return
  for (const { name } of Array.from(old.attributes)) if (!fresh.hasAttribute(name)) old.removeAttribute(name)
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value)
  const known = new Map([...old.children].filter(({ id }) => id !== '').map((child) => [child.id, child]))
  let cursor = old.firstChild
  for (const next of Array.from(fresh.childNodes)) {
    const same = findMatch(next, cursor, known)
    if (same === null) {
      old.insertBefore(next, cursor)
      continue
    }
    if (same === cursor) cursor = cursor.nextSibling
    else old.insertBefore(same, cursor)
    if (same instanceof Element && next instanceof Element) patch(same, next)
    else same.nodeValue = next.nodeValue
  }
  while (cursor !== null) {
    const next = cursor.nextSibling
    cursor.remove()
    cursor = next
  }
}

/**
 * Returns the node that corresponds to another one: the one with the same id, or the one at its position if neither has
 * an id.
 * @param {ChildNode} next
 * @param {ChildNode | null} cursor
 * @param {ReadonlyMap<string, Element>} known
 * @returns {ChildNode | null}
 */
function findMatch(next, cursor, known) {
  if (next instanceof Element && next.id !== '') return known.get(next.id) ?? null
  const isAlike =
    cursor !== null && !(cursor instanceof Element && cursor.id !== '') && cursor.nodeName === next.nodeName
  return isAlike ? cursor : null
}
