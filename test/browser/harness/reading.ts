/** Finds words that wrap without a hyphen. Addresses may wrap before punctuation. */
export const BROKEN = `(() => {
  const broken = new Set()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const around = text.parentElement
    if (!around.checkVisibility() || around.closest('pre, code, textarea')) continue
    let isSeen = true
    for (let one = around; one; one = one.parentElement) isSeen &&= getComputedStyle(one).display === 'contents' || one.offsetWidth !== 1
    if (!isSeen) continue
    for (const { 0: word, index } of text.data.matchAll(/\\p{L}{3,18}/gu)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => Math.round(bottom)))
      if (lines.size > 1) broken.add(word)
    }
  }
  return [...broken].map((word) => 'breaks ' + word + ' at ' + innerWidth)
})()`

/** Lists labels whose text doesn't fit: cut at an edge, by an ellipsis, or outside the window. */
export const CUT_LABELS = `[...document.querySelectorAll('.button, label, legend, dt, th, summary, .status, .dock a, .rail a')]
  .filter((one) => one.checkVisibility() && one.offsetWidth > 1 && getComputedStyle(one).clipPath === 'none' && !one.closest('.unseen, table thead'))
  .filter((one) => {
    const { left, right } = one.getBoundingClientRect()
    const inner = one.querySelector('span:not(.unseen)') ?? one
    return left < -1 || right > innerWidth + 1 || (getComputedStyle(inner).overflow === 'hidden' && inner.offsetWidth > 1 && inner.scrollWidth > inner.clientWidth + 1)
  }).map((one) => 'cuts ' + one.textContent.trim() + ' at ' + innerWidth)`

/** Lists what moves on a page with reduced motion. */
export const MOVING = `[...document.querySelectorAll('*')].filter((one) => {
    const { animationName, transitionDuration } = getComputedStyle(one)
    return animationName !== 'none' || parseFloat(transitionDuration) > 0
  }).map((one) => 'moves ' + one.outerHTML.slice(0, 80))`
