import { existsSync, readFileSync } from 'node:fs'
import type { FontFile } from '../../platform/config/topics/documents.ts'

/** File content of a font for characters that the built-in one lacks. */
export type FallbackFont = { bytes: Buffer; name: string | null }

/** Folders of Noto Sans CJK: `fonts-noto-cjk` (Debian), `noto-fonts-cjk` (Arch), `font-noto-cjk` (Alpine). */
const USUAL_FOLDERS = ['/usr/share/fonts/opentype/noto', '/usr/share/fonts/noto-cjk', '/usr/share/fonts/noto']

/** Returns the configured font, else an installed one; null if there is none. */
export function findFallbackFont(configured: FontFile | null): FontFile | null {
  if (configured !== null) return configured
  const file = USUAL_FOLDERS.map((folder) => `${folder}/NotoSansCJK-Regular.ttc`).find((path) => existsSync(path))
  return file === undefined ? null : { file, name: 'NotoSansCJKsc-Regular' }
}

/** Reads a font; null if its file can't be read, which `callout doctor` reports. */
export function readFallbackFont(font: FontFile | null): FallbackFont | null {
  if (font === null) return null
  try {
    return { bytes: readFileSync(font.file), name: font.name }
  } catch {
    return null
  }
}
