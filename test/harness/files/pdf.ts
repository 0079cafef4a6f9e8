import { getDocumentProxy } from 'unpdf'

/** Reads the text and metadata of a PDF. */
export async function readPdf(content: Uint8Array) {
  const document = await getDocumentProxy(new Uint8Array(content))
  const pages: { width: number; height: number; text: string; roles: string[] }[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { width, height } = page.getViewport({ scale: 1 })
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
    pages.push({ width, height, text: text.replace(/\s+/g, ' '), roles: rolesIn(await page.getStructTree()) })
  }
  const info = new Map<string, unknown>(Object.entries((await document.getMetadata()).info))
  await document.cleanup()
  return { pages, info, text: pages.map(({ text }) => text).join(' ') }
}

type Node = { role?: string; children?: Node[] }

const rolesIn = (tree: unknown): string[] => {
  const { role, children = [] } = (tree ?? {}) as Node
  return [...(role === undefined ? [] : [role]), ...children.flatMap(rolesIn)]
}

/** Counts each word of a text. */
export function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>()
  for (const word of text.normalize('NFC').split(/\s+/).filter(Boolean)) words.set(word, (words.get(word) ?? 0) + 1)
  return words
}
