// @ts-check

/**
 * Prevents choosing a step without the steps that it builds on.
 * @param {ParentNode} root
 */
export function followPicks(root) {
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll('input[name="pick"]'))
  const byPosition = new Map([...boxes].map((box) => [box.value, box]))

  function follow() {
    for (const box of boxes) {
      const needed = (box.dataset['on'] ?? '').split(' ').filter((position) => position !== '')
      const isPossible = needed.every((position) => byPosition.get(position)?.checked === true)
      if (!isPossible) box.checked = false
      box.disabled = !isPossible
    }
  }

  for (const box of boxes) box.addEventListener('change', follow)
  follow()
}

followPicks(document)
